import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Contract, statusOf } from '../../../core/api/endpoint.ts';
import { api } from '../../../core/api/index.ts';
import { openApi, openApiOf } from '../../../core/api/openapi.ts';
import { failureStatus } from '../../../core/base/failure.ts';

const root = path.join(import.meta.dirname, '../../..');
const file = path.join(root, 'docs/openapi.json');
// biome-ignore lint/suspicious/noExplicitAny: the tests check the description
const description: any = openApi();

test('docs/openapi.json is what `npm run generate` writes', () => {
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(description);
});

test('the client is built of docs/openapi.json as it is', () => {
  const [first = ''] = readFileSync(path.join(root, 'client/api-types.ts'), 'utf8').split('\n');
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
  const advice = first.endsWith(` ${hash}`) ? '' : 'Of another docs/openapi.json: run `npm run prepare`';
  expect(advice).toBe('');
});

test('meets the recommended rules of Redocly', () => {
  const printed = execFileSync(process.execPath, [path.join(root, 'test/support/lint-openapi.ts'), file]);
  const problems: { severity: string; ruleId: string }[] = JSON.parse(printed.toString());
  // The service prefers literal paths, and still serves links whose code equals one.
  expect(problems.filter(({ ruleId }) => ruleId !== 'no-ambiguous-paths')).toEqual([]);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
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

  test('lists the headers of its responses', () => {
    const { headers } = operation.responses[statusOf(contract)];
    expect(Object.keys(headers)).toEqual([
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      ...(contract.location ? ['Location'] : []),
      ...(contract.idempotent ? ['Idempotent-Replayed'] : []),
    ]);
  });
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
  expect(openApiOf(180_000)).toEqual(description);
});

test('has a server for tools with only the file', () => {
  const [served, any] = description.servers;
  expect(served.url).toBe('../1.0');
  expect([any.url, any.variables.baseUrl.default]).toEqual(['{baseUrl}/1.0', 'http://127.0.0.1:8787']);
});
