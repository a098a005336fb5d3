import type { Schema } from '../../core/api/openapi-parts.ts';
import { isRecord } from '../../core/base/record.ts';
import { escapeHtml } from '../../core/pages/html.ts';
import type { PlacedOperation } from './description.ts';
import { withBase } from './markdown.ts';

/**
 * An operation's example as runnable calls, with curl, and in JavaScript and Python without packages: first with what is
 * required, then whole. Below them its response.
 */
export const samplesOf = ({ method, path, parameters, requestBody, responses }: PlacedOperation): string => {
  const content = requestBody?.content['application/json'];
  const body = exampleOf(content);
  const query = parameters.filter((one) => one.in === 'query' && one.example !== undefined);
  const address = parameters
    .filter((one) => one.in === 'path')
    .reduce((text, one) => text.replace(`{${one.name}}`, String(one.example)), `BASE_URL/1.0${path}`);
  const search = new URLSearchParams(
    query.map(({ name, example }): [string, string] => [name, String(example)]),
  ).toString();
  const url = search ? `${address}?${search}` : address;
  const inAll = (value: unknown): string => {
    const call = { method, url, body: value };
    return Object.entries({ curl: curl(call), JavaScript: javaScript(call), Python: python(call) })
      .map(([name, code]) => `<pre class="sample ${name}">${withBase(escapeHtml(code))}</pre>\n`)
      .join('');
  };
  const least = content && requiredOf(content.schema, body);
  const isShorter = least !== undefined && json(least) !== json(body) && json(least) !== '{}';
  const calls = isShorter
    ? `${inAll(least)}<details><summary>With every field</summary>\n${inAll(body)}</details>\n`
    : inAll(body);
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  const answer = exampleOf(success?.[1].content?.['application/json']);
  const shown =
    answer === undefined ? '' : `<p>Response ${success?.[0]}</p>\n<pre>${escapeHtml(json(answer))}</pre>\n`;
  return calls + shown;
};

const exampleOf = (content: { readonly examples?: object } | undefined): unknown =>
  (Object.values(content?.examples ?? {}) as { readonly value: unknown }[])[0]?.value;

/** The fields of an example that its schema requires. */
const requiredOf = ({ required = [], properties = {}, items }: Schema, example: unknown): unknown => {
  if (Array.isArray(example))
    return items ? example.slice(0, 1).map((one) => requiredOf(items, one)) : example;
  if (!isRecord(example)) return example;
  const kept = Object.entries(example).filter(([name]) => required.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, requiredOf(properties[name] ?? {}, value)]));
};

interface Call {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const curl = ({ method, url, body }: Call): string =>
  [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${url}' \\\n  -H "X-API-KEY: $API_KEY"`,
    ...(body ? [`-H 'Content-Type: application/json'`, `-d '${json(body).replaceAll("'", "'\\''")}'`] : []),
  ].join(' \\\n  ');

const javaScript = ({ method, url, body }: Call): string => {
  const type = body ? `, 'Content-Type': 'application/json'` : '';
  const sent = body ? `\n  body: JSON.stringify(${json(body).replaceAll('\n', '\n  ')}),` : '';
  return `const response = await fetch('${url}', {
  method: '${method}',
  headers: { 'X-API-KEY': process.env.API_KEY${type} },${sent}
});
console.log(await response.json());`;
};

const python = ({ method, url, body }: Call): string => {
  const type = body ? `, "Content-Type": "application/json"` : '';
  const literals = { true: 'True', false: 'False', null: 'None' };
  const value = json(body)?.replaceAll(
    /(?<=^\s*|": )(true|false|null)(?=,?$)/gm,
    (word) => literals[word as keyof typeof literals],
  );
  const sent = body ? `\n    data=json.dumps(${value.replaceAll('\n', '\n    ')}).encode(),` : '';
  return `import json, os, urllib.request

request = urllib.request.Request(
    "${url}",
    method="${method}",
    headers={"X-API-KEY": os.environ["API_KEY"]${type}},${sent}
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`;
};
