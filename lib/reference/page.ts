import { openApiOf } from '../../core/api/openapi.ts';
import type { Response } from '../../core/api/openapi-failures.ts';
import type { Schema } from '../../core/api/openapi-parts.ts';
import { failureMessages, faultMessages } from '../../core/base/messages.ts';
import { escapeHtml, type HtmlPage, htmlPage } from '../../core/pages/html.ts';
import { type PlacedOperation, wholeOf } from './description.ts';
import { markdown } from './markdown.ts';
import { samplesOf } from './samples.ts';
import { languages, script, style } from './style.ts';

/**
 * The API's reference as a self-contained page of 28 kB. Its script searches, copies, shows the place and fills in the
 * service's address. Swagger UI, Redoc and Scalar have 327 to 989 kB, and the last two call other hosts. The page can't
 * send calls, because keys don't belong in browsers.
 */
export const referencePage = (requestsPerHour: number): HtmlPage => {
  const { info, tags, paths } = wholeOf(openApiOf(requestsPerHour));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  );
  const [before = '', ...chapters] = info.description.split(/^## /m);
  const groups = tags
    .map((tag) => ({ ...tag, operations: operations.filter((one) => one.tags.includes(tag.name)) }))
    .filter((group) => group.operations.length > 0);
  return htmlPage({
    title: `${info.title}: reference`,
    style,
    script,
    body: `<nav aria-label="Contents">
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off">
<p id="found" role="status"></p>
<details open>
<summary>Contents</summary>
<ul>
${chapters.map((text) => entry(text.split('\n')[0] ?? '')).join('')}${entry('Every message')}</ul>
${groups.map((group) => `<h2>${escapeHtml(group.name)}</h2>\n<ul>\n${group.operations.map(operationEntry).join('')}</ul>\n`).join('')}</details></nav>
<main>
<h1>${escapeHtml(info.title)} <small>${escapeHtml(info.version.replace('+service.', ' of service '))}</small></h1>
${markdown(before)}
<p><a href="openapi.json">The description as OpenAPI 3.1</a></p>
<fieldset><legend>Samples in</legend>
${languages.map((name, index) => `<input type="radio" name="sample" id="${name}"${index === 0 ? ' checked' : ''}><label for="${name}">${name}</label>`).join('\n')}
</fieldset>
${chapters.map(chapter).join('')}${groups.map(section).join('')}${messages}</main>`,
  });
};

const idOf = (title: string): string => title.toLowerCase().replaceAll(/\W+/g, '-');

const entry = (title: string): string => `<li><a href="#${idOf(title)}">${escapeHtml(title)}</a></li>\n`;

const operationEntry = ({ operationId, summary }: PlacedOperation): string =>
  `<li><a href="#${operationId}">${escapeHtml(summary)}</a></li>\n`;

const chapter = (text: string): string => {
  const [title = ''] = text.split('\n');
  return `<article id="${idOf(title)}">\n<h2>${escapeHtml(title)}</h2>\n${markdown(text.slice(title.length))}\n</article>\n`;
};

const messages = `<article id="every-message">
<h2>Every message</h2>
<p>Of a call as a whole. <code>{…}</code> stands for a value.</p>
<ul>
${Object.values(failureMessages)
  .map(([code, text]) => `<li><code>${code}</code> ${escapeHtml(text)}</li>`)
  .join('\n')}
</ul>
<p>Of a field or parameter, after its name and a colon.</p>
<ul>
${Object.values(faultMessages)
  .map((text) => `<li>${escapeHtml(text)}</li>`)
  .join('\n')}
</ul>
</article>
`;

type Group = Readonly<Record<'name' | 'description', string>> & { readonly operations: PlacedOperation[] };

const section = ({ name, description, operations }: Group): string => {
  const shown = operations.map(operationArticle).join('');
  return `<section>\n<h2>${escapeHtml(name)}</h2>\n<p>${escapeHtml(description)}</p>\n${shown}</section>\n`;
};

const operationArticle = (operation: PlacedOperation): string => {
  const { operationId, method, path, summary, description, parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  return `<article id="${operationId}">
<header>
<h3>${escapeHtml(summary)}</h3>
<p class="call"><b class="${method.toLowerCase()}">${method}</b> <code>/1.0${escapeHtml(path)}</code></p>
${markdown(description)}
</header>
<div class="samples">
${samplesOf(operation)}</div>
<div>
${list(
  'Parameters',
  parameters.map((one) =>
    field(one.name, { ...one.schema, description: one.description }, one.required, `in ${one.in}`),
  ),
)}${body ? list('Body', [fields(body.schema)]) : ''}<h4>Responses</h4>
${Object.entries(responses)
  .map(([status, response]) => responseDetails(status, response))
  .join('')}</div>
</article>
`;
};

const list = (title: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `<h4>${title}</h4>\n<dl>\n${items.join('')}</dl>\n`;

const responseDetails = (status: string, { description = '', content, headers = {} }: Response): string => {
  const json = content?.['application/json'];
  const own = Object.entries(headers).map(([name, header]) => field(name, header, true, 'header'));
  return `<details>
<summary><code>${status}</code> ${markdown(description)}</summary>
${status.startsWith('2') ? `<dl>\n${own.join('')}${json ? fields(json.schema) : ''}</dl>\n` : examplesOf(json)}</details>
`;
};

/** A failure's examples; a success is shown beside the fields. */
const examplesOf = (content: { readonly examples?: object } | undefined): string =>
  Object.values(content?.examples ?? {})
    .map(({ value }) => `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>\n`)
    .join('');

/** The fields of an object, or of a list's objects. */
const fields = ({ properties = {}, required = [], items, anyOf = [], oneOf = [] }: Schema): string =>
  [
    ...Object.entries(properties).map(([name, one]) => {
      const more = fields(one);
      const within = `<summary>Fields of <code>${escapeHtml(name)}</code></summary>\n<dl>\n${more}</dl>`;
      return field(name, one, required.includes(name)) + (more && `<dd><details>${within}</details></dd>\n`);
    }),
    ...[...(items ? [items] : []), ...anyOf, ...oneOf].map(fields),
  ].join('');

const field = (name: string, schema: Schema, isRequired: boolean, place = ''): string => {
  const known = [typeOf(schema), ...limitsOf(schema), place, isRequired ? '' : 'optional'].filter(Boolean);
  const { description } = { ...schema.anyOf?.[0], ...schema };
  return `<dt><code>${escapeHtml(name)}</code> <span>${known.map(escapeHtml).join(', ')}</span></dt>
<dd>${description ? markdown(description) : ''}</dd>
`;
};

const typeOf = (schema: Schema): string => {
  const { type, items, anyOf = [], oneOf = [] } = schema;
  if (schema.enum) return schema.enum.join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (items) return `list of ${typeOf(items)}`;
  if (type === 'string' && schema.format) return String(schema.format);
  const types = type === undefined ? [...anyOf, ...oneOf].map(typeOf) : [type].flat();
  return [...new Set(types)].join(' or ');
};

/** Words for limits by their keywords. */
const limits: Readonly<Record<string, string>> = {
  minLength: 'at least # characters',
  maxLength: 'at most # characters',
  minItems: 'at least # of them',
  maxItems: 'at most # of them',
  minimum: 'from #',
  maximum: 'to #',
  default: 'default #',
};

const limitsOf = (schema: Schema): string[] => {
  const all: Schema = { ...schema.anyOf?.[0], ...schema };
  const { pattern = '^[^' } = all as { readonly pattern?: string };
  return [
    ...Object.entries(limits).flatMap(([keyword, text]) =>
      all[keyword] === undefined ? [] : text.replace('#', String(all[keyword])),
    ),
    // Those that only exclude control characters would hide the others.
    ...(pattern.startsWith('^[^') ? [] : [`like ${pattern}`]),
  ];
};
