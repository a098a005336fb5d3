import { operation, type Schema } from '../../client/program/description.ts';
import { toolsOf } from '../../client/program/tools.ts';

const tools = toolsOf({ allowDelete: true });

/** The assistant's part of them. */
const shown = tools.map(({ operation, query, ...tool }) => tool);

test('all tools together take at most 15 KB of an assistant', () => {
  expect(Buffer.byteLength(JSON.stringify({ tools: shown }))).toBeLessThanOrEqual(16_000);
});

test.each(tools)('$name names the scope that it needs', ({ description, operation }) => {
  const [, needs] = /Needs the scope `(.+)`\.$/.exec(operation.description) ?? [];
  expect(description).toContain(`Needs the scope \`${needs}\`.`);
});

const descriptionsOf = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    name === 'description' && typeof one === 'string' ? [one] : descriptionsOf(one),
  );
};

test('no sentence stands twice', () => {
  const sentences = descriptionsOf(shown)
    .flatMap((text) => text.split(/(?<=\.) /))
    .filter((sentence) => !sentence.startsWith('Needs the scope'));
  expect(sentences.length).toBeGreaterThan(40);
  expect(sentences.filter((one, index) => sentences.indexOf(one) !== index)).toEqual([]);
});

test('calls of the API are named as tools', () => {
  expect(descriptionsOf(shown).filter((text) => /`(?:GET|PUT|POST|PATCH|DELETE) /.test(text))).toEqual([]);
});

/** Every place of a schema where something may be given. */
const placesOf = ({ properties = {}, items, anyOf = [] }: Schema, path = ''): string[] => [
  ...Object.entries(properties).flatMap(([name, one]) => [
    `${path}.${name}`,
    ...placesOf(one, `${path}.${name}`),
  ]),
  ...(items ? placesOf(items, `${path}[]`) : []),
  ...anyOf.flatMap((one) => placesOf(one, path)),
];

test.each([
  ['create_link', 'createLink'],
  ['update_link', 'patchLink'],
  ['set_link_status', 'updateLinkStatus'],
])('%s takes the fields of the body of %s', (name, id) => {
  const tool = tools.find((one) => one.name === name);
  const { body = {}, parameters } = operation(id);
  const inPath = parameters.filter((one) => one.in === 'path').map((one) => `.${one.name}`);
  expect(placesOf(tool?.inputSchema as Schema)).toEqual([...inPath, ...placesOf(body)]);
});

test('null clears only in an update', () => {
  const text = (name: string) => JSON.stringify(tools.find((one) => one.name === name)?.inputSchema);
  expect(text('create_link')).not.toContain('null');
  expect(tools.find(({ name }) => name === 'update_link')?.inputSchema.properties).toMatchObject({
    name: { type: ['string', 'null'] },
    payload: {
      properties: { query: { type: ['string', 'null'], enum: ['merge', 'append', 'ignore', null] } },
    },
  });
});
