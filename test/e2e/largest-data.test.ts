import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { fillTable } from '../../bench/fill-table.ts';
import type { Field } from '../../core/field.ts';
import { rulesOf } from '../../core/field-schema.ts';
import { limits } from '../../core/limits.ts';
import { namedPayloadFields } from '../../core/links/payload-fields.ts';
import { appCountKey, appKey } from '../../core/table/keys.ts';
import { newApp, newLink, newProject, type TestProject } from '../support/api.ts';
import { openWholeTable } from '../support/lean-table.ts';
import { sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();

/** Characters that grow when encoded: in JSON, in JSON inside JSON, in UTF-8, in a URL. */
const fillers = ['"', '\\', '😀', '語', 'é', ' ', '<', '%', 'x', '\u2028', '\n', '\t', '\u007f', '\u0001'];

/**
 * The longest text of one repeated character that a field accepts, after its required beginning; undefined if it
 * accepts none.
 */
const longest = (field: Field, filler: string): string | undefined => {
  const start = field.kind === 'address' ? 'https://example.com/?' : '';
  const made = (n: number) => start + filler.repeat(n);
  const takes = (n: number) => rulesOf(field).safeParse(made(n)).success;
  if (!takes(1)) return undefined;
  let [low, high] = [1, 4096];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (takes(middle)) low = middle;
    else high = middle - 1;
  }
  return made(low);
};

/** A field of the greatest length, of one random character. */
const atLimit = (field: Field): fc.Arbitrary<string> => {
  // The first value is the default, a redirect, which this tests.
  if (field.kind === 'choice') return fc.constant(field.values[0]);
  if (field.kind === 'store-id') return fc.constant('9'.repeat(limits.appStoreIdDigits));
  const texts = fillers.flatMap((filler) => longest(field, filler) ?? []);
  return texts.length > 0 ? fc.constantFrom(...texts) : fc.constant(field.example);
};

const largestPayload = fc.record(
  Object.fromEntries(
    namedPayloadFields
      .filter(([name]) => !name.endsWith('AppId'))
      .map(([name, entry]) => [
        name,
        'fields' in entry
          ? fc.record(
              Object.fromEntries(Object.entries(entry.fields).map(([key, field]) => [key, atLimit(field)])),
            )
          : atLimit(entry),
      ]),
  ),
);

const name = { kind: 'text', max: limits.name, about: '', example: '' } as const;
const maxBytes = 5_000_000;
/** The size that Lambda counts: the body is a string within its JSON response. */
const answered = (text: string) => Buffer.byteLength(JSON.stringify(text));

const inTurns = async <Value>(values: readonly Value[], act: (value: Value) => Promise<unknown>) => {
  const queue = values.values();
  const worker = async () => {
    for (const value of queue) await act(value);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
};

/** Creates the link; if its campaign is too long as a whole, with a shorter one. */
const createLargest = async (project: TestProject, payload: Record<string, unknown>, shown: string) => {
  const send = (body: object) => project.call('POST', '/links', body);
  const { status, body } = await send({ name: shown, payload });
  if (status === 201) return body.data.code as string;
  expect(body.error.message).toBe(
    `payload.campaign: must take at most ${limits.campaignBytes} bytes when encoded as a referrer`,
  );
  const plain = Object.keys(payload.campaign as object).map((key) => [key, 'x'.repeat(limits.campaignValue)]);
  const lesser = { ...payload, campaign: Object.fromEntries(plain) };
  return (await newLink(project, { name: shown, payload: lesser })).code as string;
};

test('a page of a hundred links fits a response, and each link redirects, whatever it holds', async () => {
  const project = await newProject(stack);
  const samples = fc.sample(fc.tuple(largestPayload, atLimit(name)), { numRuns: 100, seed: 7 });
  const codes: string[] = [];
  await inTurns(samples, async ([payload, shown]) => {
    codes.push(await createLargest(project, payload, shown));
  });
  const list = await project.call('GET', '/links?pageSize=100');
  expect([list.status, list.body.data.length]).toEqual([200, 100]);
  expect(answered(list.text)).toBeLessThan(maxBytes);

  const agents = [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36',
  ];
  await inTurns(codes.slice(0, 40), async (code) => {
    for (const agent of agents) {
      const answer = await stack.visit(`/${project.id}/${code}`, { 'User-Agent': agent });
      expect([code, answer.status]).toEqual([code, 302]);
      expect(answer.headers.get('location')?.length).toBeLessThan(8192);
    }
  });
});

/** The character that encodes longest, in every field of every link, makes the largest page possible. */
test('a page of the hundred largest links fits a response, too', async () => {
  const project = await newProject(stack);
  const heaviest = (field: Field): string => {
    if (field.kind === 'choice') return field.values[0];
    return fillers
      .flatMap((filler) => longest(field, filler) ?? [])
      .reduce(
        (most, text) => (answered(JSON.stringify(text)) > answered(JSON.stringify(most)) ? text : most),
        '',
      );
  };
  const payload = Object.fromEntries(
    namedPayloadFields
      .filter(([field]) => !field.endsWith('AppId'))
      .map(([field, entry]) => [
        field,
        'fields' in entry
          ? Object.fromEntries(
              Object.entries(entry.fields).map(([key, one]) => [
                key,
                one.kind === 'store-id' ? '9' : heaviest(one),
              ]),
            )
          : heaviest(entry),
      ]),
  );
  await inTurns(Array.from({ length: 100 }), () => createLargest(project, payload, heaviest(name)));
  const list = await project.call('GET', '/links?pageSize=100');
  expect([list.status, list.body.data.length]).toEqual([200, 100]);
  expect(answered(list.text)).toBeLessThan(maxBytes);
});

/** Copies of an app as the service stored it, counted as its creations would have been. */
const copyApp = async ({ id: project }: TestProject, id: string, copies: number) => {
  const { dynamodbEndpoint: endpoint, tableName: name, operatorKey } = stack.facts;
  const table = openWholeTable(endpoint, { name, operatorKey });
  const app = await table.get(appKey(project, id));
  const ids = Array.from({ length: copies }, () => randomUUID());
  const items = ids.map((copy) => ({ ...app, ...appKey(project, copy), id: copy }));
  await fillTable({ endpoint, name, operatorKey }, [...items, { ...appCountKey(project), n: copies + 1 }]);
};

test('as many and as large apps as allowed fit a response, and one more is refused', async () => {
  const project = await newProject(stack);
  const backslashes = 'https://example.com/?'.concat('\\'.repeat(634));
  const largest = {
    platform: 'ANDROID',
    name: '😀'.repeat(limits.name),
    packageName: '\\'.repeat(128),
    playStoreFallback: backslashes,
    androidMinVersion: '"'.repeat(limits.version),
  };
  const { id } = await newApp(project, largest);
  await copyApp(project, id, limits.appsPerProject - 2);
  await newApp(project, largest);
  const list = await project.call('GET', '/mobile-apps');
  expect([list.status, list.body.data.total]).toEqual([200, limits.appsPerProject]);
  expect(answered(list.text)).toBeLessThan(maxBytes);
  const more = await project.call('POST', '/mobile-apps', largest);
  expect([more.status, more.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  const larger = { ...largest, playStoreFallback: `${backslashes}\\` };
  expect((await project.call('POST', '/mobile-apps', larger)).body.error.message).toContain(
    `${limits.addressBytes} bytes`,
  );
});

test('ordinary addresses and texts of the full length are accepted', async () => {
  const project = await newProject(stack);
  const address = `https://example.com/path?q=${'x'.repeat(limits.url - 27)}`;
  const campaign = Object.fromEntries(
    ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'].map((key) => [
      key,
      'x'.repeat(limits.campaignValue),
    ]),
  );
  const { code } = await newLink(project, {
    name: 'x'.repeat(limits.name),
    payload: {
      link: address,
      desktop_fallback: address,
      android: { package: `com.${'x'.repeat(251)}`, store_fallback: address },
      ios: { bundleId: 'x'.repeat(255), app_store_fallback: address },
      social: { title: 'x'.repeat(256), description: 'Line\n'.repeat(409), image: address },
      campaign,
    },
  });
  expect((await project.call('GET', `/links/${code}`)).body.data.payload.campaign).toEqual(campaign);
});
