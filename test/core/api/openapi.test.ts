import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Contract, statusOf } from '../../../core/api/endpoint.ts';
import { api } from '../../../core/api/index.ts';
import { openApi, openApiOf } from '../../../core/api/openapi.ts';
import { failureStatus } from '../../../core/base/failure.ts';
import { eventTypes } from '../../../core/events/event.ts';

const root = path.join(import.meta.dirname, '../../..');
const file = path.join(root, 'docs/openapi.json');
// biome-ignore lint/suspicious/noExplicitAny: the tests check the description
const description: any = openApi();

test('docs/openapi.json is up to date with `npm run generate`', () => {
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(description);
});

test('the client is built of docs/openapi.json as it is', () => {
  const [first = ''] = readFileSync(path.join(root, 'client/api-types.ts'), 'utf8').split('\n');
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
  const advice = first.endsWith(` ${hash}`) ? '' : 'Of another docs/openapi.json: run `npm run prepare`';
  expect(advice).toBe('');
});

const operations = Object.entries<Contract>(api).map(
  ([id, contract]) =>
    [id, contract, description.paths[contract.path][contract.method.toLowerCase()]] as const,
);

const resolved = ({ $ref, ...rest }: { $ref?: string }) =>
  $ref
    ? $ref
        .split('/')
        .slice(1)
        .reduce((node, name) => node[name], description)
    : rest;

describe.each(operations)('%s', (id, contract, operation) => {
  test('lists every failure with its condition and an example', () => {
    const failures = Object.entries<{ $ref?: string }>(operation.responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([status, response]) => {
        const { content, description: text } = resolved(response);
        return Object.entries<{ summary: string }>(content['application/json'].examples).map(
          ([code, { summary }]) => {
            expect(text).toContain(`\`${code}\`: ${summary}`);
            expect(summary).toMatch(/\.$/);
            expect(failureStatus).toHaveProperty(code, Number(status));
            return code;
          },
        );
      });
    expect(failures.sort()).toEqual(
      [
        ...(contract.body || (contract.params && !contract.unmatched) ? ['VALIDATION_ERROR'] : []),
        ...Object.keys(contract.failures ?? {}),
        'INVALID_PARAMETERS',
        ...(contract.idempotent ? ['IDEMPOTENCY_KEY_REUSED'] : []),
        'INVALID_API_KEY',
        'INSUFFICIENT_PERMISSIONS',
        'METHOD_NOT_ALLOWED',
        'RATE_LIMIT_EXCEEDED',
        'INTERNAL_ERROR',
        'SERVICE_UNAVAILABLE',
      ].sort(),
    );
  });

  test('has an example request and response that its contract accepts', () => {
    const { example } = contract;
    for (const part of ['params', 'query', 'body'] as const) contract[part]?.parse(example[part]);
    expect(contract.result.parse(example.data)).toEqual(example.data);
    const shown = operation.responses[statusOf(contract)].content['application/json'].examples[id];
    expect(shown.value).toMatchObject({ success: true, data: example.data });
  });

  test('names the scope that it needs', () => {
    expect(operation['x-required-scopes']).toEqual(contract.scope && [contract.scope]);
  });

  test('lists the headers of its responses', () => {
    const { headers } = operation.responses[statusOf(contract)];
    expect(Object.keys(headers)).toEqual([
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      ...(contract.location ? ['Location'] : []),
      ...(contract.idempotent ? ['Idempotent-Replayed'] : []),
      ...(contract.body ? ['X-Ignored-Fields'] : []),
    ]);
  });
});

/** Every schema inside a part of the description, with where it is. */
const schemasIn = (part: unknown, place = ''): [place: string, schema: Record<string, unknown>][] => {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, inner]) => {
    if (['example', 'examples', 'value'].includes(name)) return [];
    const found = schemasIn(inner, `${place}/${name}`);
    const isSchema = /\/(schema|items|additionalProperties|(schemas|properties|anyOf|oneOf)\/[^/]+)$/;
    return isSchema.test(`${place}/${name}`) ? [[`${place}/${name}`, inner], ...found] : found;
  });
};
const schemas = schemasIn(description);
const isNamed = (place: string) => /^\/components\/schemas\/\w+$/.test(place);

test('objects have names, and so have choices that stand in two places', () => {
  const unnamed = schemas.filter(([place]) => !isNamed(place));
  const objects = unnamed.filter(([, schema]) => 'properties' in schema);
  const choices = unnamed.filter(([, schema]) => 'enum' in schema);
  expect(objects.map(([place]) => place)).toEqual([]);
  expect(new Set(choices.map(([, schema]) => String(schema.enum))).size).toBe(choices.length);
});

test('every name, field, parameter and header is described', () => {
  const describedBy = ({ $ref, anyOf = [], ...schema }: Record<string, unknown>): boolean =>
    'description' in schema ||
    ($ref !== undefined && describedBy(resolved({ $ref: String($ref) }))) ||
    (anyOf as Record<string, unknown>[]).some(describedBy);
  const stated = schemas.filter(([place]) => isNamed(place) || /\/properties\/[^/]+$/.test(place));
  const others = [
    ...operations.flatMap(([id, , { parameters }]) => parameters.map((one: object) => [id, one])),
    ...Object.entries(description.components.headers),
    ...Object.entries(description.components.responses),
  ];
  const lacking = [...stated, ...others].filter(([, schema]) => !describedBy(schema));
  expect(lacking.map(([place]) => place)).toEqual([]);
});

test('times of requests have no format, as they may be days', () => {
  const { LinkDraft, RuleDraft } = description.components.schemas;
  for (const { expiresAt, from = {} } of [LinkDraft.properties, RuleDraft.properties])
    expect(JSON.stringify([expiresAt, from])).not.toContain('date-time');
});

test('names the product next to the version of the API, as package.json has it', () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  expect(description.info.version).toBe(`1.0+service.${version}`);
});

test('describes the events of webhooks, each type with an example that fits', () => {
  expect(Object.keys(description.webhooks).sort()).toEqual([...eventTypes, 'webhook.test'].sort());
  const ajv = addFormats.default(new Ajv2020({ strict: false })).addSchema({ ...description, $id: 'api' });
  for (const [type, { post }] of Object.entries<{ post: typeof description }>(description.webhooks)) {
    const { schema, examples } = post.requestBody.content['application/json'];
    const validate = ajv.compile({ $ref: `api${schema.$ref}` });
    expect([type, validate(examples.event.value), validate.errors]).toEqual([type, true, null]);
  }
});

test('requires a key in X-API-KEY, and nothing else', () => {
  expect(description.security).toEqual([{ apiKey: [] }]);
  expect(Object.values(description.components.securitySchemes)).toEqual([
    { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: expect.any(String) },
  ]);
});

test("a deployment's description differs only in its limit", () => {
  const own = JSON.stringify(openApiOf(1234));
  expect(own).toContain('1234 requests per hour');
  expect(own).not.toMatch(/180000|179958/);
  expect(JSON.stringify(openApiOf(180_000)) === JSON.stringify(description)).toBe(true);
});

test('has a server for tools with only the file', () => {
  const [served, any] = description.servers;
  expect(served.url).toBe('../1.0');
  expect([any.url, any.variables.baseUrl.default]).toEqual(['{baseUrl}/1.0', 'http://127.0.0.1:8787']);
});
