import fc from 'fast-check';
import { limits } from '../../core/base/limits.ts';
import type { Field } from '../../core/fields/field.ts';
import { namedPayloadFields, payloadFields } from '../../core/links/payload-fields.ts';
import type { Rule } from '../../core/rules/rule.ts';
import { requestedRules } from '../../core/rules/rule-schema.ts';
import { newLink, newProject, type TestProject } from '../support/api.ts';
import { fillers, longest } from '../support/longest-texts.ts';
import { testAtNight } from '../support/nightly.ts';
import { sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();

/** A field of the greatest length, of one random character. */
const atLimit = (field: Field): fc.Arbitrary<string> => {
  // The first value is the default, a redirect, which this tests.
  if (field.kind === 'choice') return fc.constant(field.values[0]);
  if (field.kind === 'store-id') return fc.constant('9'.repeat(limits.appStoreIdDigits));
  const texts = fillers.flatMap((filler) => longest(field, filler) ?? []);
  return texts.length > 0 ? fc.constantFrom(...texts) : fc.constant(field.example);
};

/** Rules for desktops that take all the room that a list may have, their addresses of one repeated character. */
const largestRules = (filler: string): Rule[] => {
  const text = longest(payloadFields.link, filler) ?? '';
  let rules: Rule[] = [];
  for (let length = text.length; length > 30; ) {
    const link = text.slice(0, length).toWellFormed();
    const more = [...rules, { name: `r${rules.length}`, platforms: ['web'] as const, link }];
    if (requestedRules.safeParse(more).success) rules = more;
    else length = Math.floor(length / 2);
  }
  return rules;
};

const ruleLists = fillers.map(largestRules).filter(({ length }) => length > 0);

/** Of quotes, which take four bytes each in a response. */
const largestTexts = { a: '"'.repeat(limits.texts.value) };

const largestPayload = fc.record({
  rules: fc.constantFrom(...ruleLists),
  ...Object.fromEntries(
    namedPayloadFields
      .filter(([name]) => !name.endsWith('AppId'))
      .map(([name, entry]) => [
        name,
        'fields' in entry
          ? fc.record(
              Object.fromEntries(Object.entries(entry.fields).map(([key, field]) => [key, atLimit(field)])),
            )
          : entry.kind === 'texts'
            ? fc.constant(largestTexts)
            : atLimit(entry),
      ]),
  ),
});

const name = { kind: 'text', max: limits.name, about: '', example: '' } as const;
const maxBytes = 6_000_000;
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
    `payload.campaign: must have at most ${limits.campaignBytes} bytes when encoded as a referrer`,
  );
  const plain = Object.keys(payload.campaign as object).map((key) => [key, 'x'.repeat(limits.campaignValue)]);
  const lesser = { ...payload, campaign: Object.fromEntries(plain) };
  return (await newLink(project, { name: shown, payload: lesser })).code as string;
};

testAtNight(
  'a page of a hundred links fits a response, and each link redirects, whatever it holds',
  async () => {
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
  },
);
