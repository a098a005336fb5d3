import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type * as z from 'zod';
import { errorsPage, unsentCodes } from '../../../bin/errors-page.ts';
import type { Contract } from '../../../core/api/endpoint.ts';
import { api } from '../../../core/api/index.ts';
import { readRequest } from '../../../core/api/request.ts';
import { Failure, failureStatus } from '../../../core/base/failure.ts';
import { failureMessages, faultMessages } from '../../../core/base/messages.ts';
import { linkDraft } from '../../../core/links/link-schema.ts';
import { isNightly } from '../../support/nightly.ts';

const root = path.join(import.meta.dirname, '../../..');

test('docs/errors.md is up to date with `npm run generate`', () => {
  expect(readFileSync(path.join(root, 'docs/errors.md'), 'utf8')).toBe(errorsPage());
});

test('docs/errors.md lists the codes that the client adds, and those of its own', () => {
  expect(unsentCodes).toEqual(['MOBILE_APP_NOT_FOUND', 'LINK_EXPIRED']);
  const client = readFileSync(path.join(root, 'client/failures.ts'), 'utf8');
  const [, own = ''] = /type ClientCode = (.*);/.exec(client) ?? [];
  const codes = [...own.matchAll(/\w+/g)].map(String);
  expect(codes).not.toEqual([]);
  expect(codes.filter((code) => !errorsPage().includes(`\`${code}\``))).toEqual([]);
});

test('every code has a message', () => {
  const coded = new Set<string>(Object.values(failureMessages).map(([code]) => code));
  // Its messages consist of the faults of fields.
  coded.add('INVALID_PARAMETERS');
  expect([...coded].sort()).toEqual(Object.keys(failureStatus).sort());
});

const elsewhere = ['core/base/messages.ts', 'core/base/failure.ts'];

/** Use cases without an endpoint, whose messages only operators see. */
const forOperators = [
  'core/base/display-name.ts',
  'core/hosts/assign-host.ts',
  'core/projects/make-project.ts',
  'core/webhooks/make-webhook.ts',
];

test("only core/base/messages.ts holds the API's messages", () => {
  const files = ['core', 'lambdas'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .map((file) => path.join(folder, String(file)))
      .filter((file) => file.endsWith('.ts') && !elsewhere.includes(file)),
  );
  const stated = files.filter((file) =>
    /new Failure\(\s*'\w+',\s*['`]/.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(stated.sort()).toEqual(forOperators);
});

/** Values that are invalid nearly everywhere. */
const oddTexts = [
  ...['', ' ', 'x', '\ud800', 'a\u0000b', '12', 'ACTIVE', 'IOS', 'javascript:alert(1)', 'x'.repeat(6000)],
  ...['https://example.com', 'https://u:p@example.com', 'https://example.com/\n', 'http://127.0.0.1'],
  ...['2030-02-30', '2030-01-01T00:00:00', '2030-01-01T25:00Z'],
  ...['2030-01-01T00:00+15:00', '9999-12-31T23:59-12:00'],
];
const oddNumbers = [0, -1, 1.5, 1e9];
const odd = [undefined, null, true, [], [1], {}, { x: 1 }, ...oddNumbers, ...oddTexts];

let place = 0;
/** The value with odd values in every place: by day a third of them, other ones in the next place. */
const spoiled = (value: unknown): unknown[] => {
  place += 1;
  return [
    ...odd.filter((_, i) => isNightly || i % 3 === place % 3),
    ...(Array.isArray(value) ? [Array(101).fill({})] : []),
    ...(typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([name, part]) =>
          spoiled(part).map((other) => ({ ...value, [name]: other })),
        )
      : []),
  ];
};

const patterns = Object.values(faultMessages).map(
  (message) =>
    new RegExp(`^[^:]*: ${message.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '.+')}$`),
);
const zodWords = /Invalid|received|expected|Too (big|small)|Unrecognized/;

const refusalOf = async (contract: Contract, part: 'params' | 'query' | 'body', value: unknown) => {
  const { example } = contract;
  const given = { params: example.params, query: undefined as unknown, body: example.body, [part]: value };
  // A query consists of names and values.
  const pairs = typeof given.query === 'object' ? Object.entries(given.query ?? {}) : [];
  const query = pairs.map(([name, one]) => [name, [String(one)]]);
  try {
    const params = (given.params ?? {}) as Record<string, string>;
    await readRequest(contract, { params, query: Object.fromEntries(query), body: () => given.body });
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
};

test.each(Object.entries(api))('every fault of a request to %s has a message of the API', async (_, one) => {
  const contract: Contract = one;
  const { example } = contract;
  const seen = new Set<string>();
  for (const part of ['params', 'query', 'body'] as const) {
    if (!contract[part]) continue;
    for (const value of spoiled(example[part])) {
      const refusal = await refusalOf(contract, part, value);
      if (!refusal || !/VALIDATION|PARAMETERS/.test(refusal.code)) continue;
      for (const message of refusal.message.split('; ')) seen.add(message);
    }
  }
  expect([...seen].filter((message) => zodWords.test(message))).toEqual([]);
  const unknown = [...seen].filter(
    (message) =>
      !patterns.some((pattern) => pattern.test(message)) &&
      !/^offsets go|^use 00|^use \w|^this endpoint|^GET \/1|^leave it|^it is [\d.]+$|^and \d+ more$|^these are known: /.test(
        message,
      ) &&
      !/(exist|unknown|valid|apps)$/.test(message),
  );
  expect(unknown).toEqual([]);
  expect(seen.size).toBeGreaterThan(contract.body || contract.query ? 1 : -1);
});

test('the walk covers messages of the validator itself', () => {
  const said = spoiled(api.createLink.example.body).flatMap((value) => {
    const { error } = linkDraft.safeParse(value);
    return (error as z.ZodError | undefined)?.issues.map(({ message }) => message) ?? [];
  });
  expect(said.filter((message) => zodWords.test(message)).length).toBeGreaterThan(10);
});
