import { escapeHtml } from '../../core/pages/html.ts';

/** Renders the Markdown that the API's description uses: paragraphs, code, bold words, tables and lists. */
export const markdown = (text: string): string =>
  text
    .trim()
    .split(/\n\n+/)
    .filter((block) => block !== '')
    .map(blockOf)
    .join('\n');

const blockOf = (block: string): string => {
  const [, code] = /^```\w*\n([\s\S]*)\n```$/.exec(block) ?? [];
  if (code !== undefined) return `<pre>${withBase(escapeHtml(code))}</pre>`;
  const lines = block.split('\n');
  if (block.startsWith('|')) return tableOf(lines);
  if (block.startsWith('- '))
    return `<ul>${lines.map((line) => `<li>${inline(line.replace(/^- /, ''))}</li>`).join('')}</ul>`;
  return `<p>${inline(block)}</p>`;
};

const tableOf = ([head = '', , ...rows]: readonly string[]): string => {
  const cells = (row: string, element: string) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => `<${element}>${inline(cell.trim())}</${element}>`)
      .join('');
  return `<table>
<thead><tr>${cells(head, 'th')}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')}
</tbody>
</table>`;
};

const inline = (text: string): string =>
  withBase(
    escapeHtml(text)
      .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
      .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>'),
  );

/** Marks the service's address, which the page's script fills in. */
export const withBase = (html: string): string =>
  html.replaceAll(/\$?BASE_URL/g, '<span class="base">$&</span>');
