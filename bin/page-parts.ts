import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A Markdown table as Biome formats it. Columns whose heading ends with `:` are aligned to the right. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const names = heads.map((head) => head.replace(/:$/, ''));
  const isRight = heads.map((head) => head.endsWith(':'));
  const widths = names.map((name, i) =>
    Math.max(3 + Number(isRight[i]), name.length, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const padded = (cells: readonly string[]) =>
    cells.map((cell, i) => (isRight[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)));
  const rules = widths.map((width, i) => (isRight[i] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  return [padded(names), rules, ...rows.map(padded)].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

/** The text of a file of the project. */
export const read = (file: string): string =>
  readFileSync(path.join(import.meta.dirname, '..', file), 'utf8');

/** A page with its generated parts, each between `<!-- generated: NAME -->` and `<!-- end -->`. */
export const withParts = (file: string, parts: Readonly<Record<string, string>>): string =>
  read(file).replaceAll(
    /(<!-- generated: (\w+) -->\n).*?(<!-- end -->)/gs,
    (_, begin, name, end) => `${begin}\n${parts[name]}\n\n${end}`,
  );
