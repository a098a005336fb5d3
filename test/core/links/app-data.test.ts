import fc from 'fast-check';
import { readBody } from '../../../core/api/request.ts';
import { Failure } from '../../../core/base/failure.ts';
import type { Link } from '../../../core/links/link.ts';
import type { SentLink } from '../../../core/links/link-draft.ts';
import { bySections, patched } from '../../../core/links/link-patch.ts';
import { linkChange, linkDraft, linkPatch } from '../../../core/links/link-schema.ts';
import { runs } from '../../support/nightly.ts';

type Texts = Record<string, string | null>;

const link = 'https://example.com/';
const now = new Date('2026-11-20T12:00:00Z');

const bodyOf = (data: unknown) => ({ payload: { link, ...(data !== undefined && { data }) } });

/** Stored data after a request; the paths of its faults if it is refused. */
const outcomeOf = (act: () => { payload: object }): unknown => {
  try {
    return (act().payload as { data?: unknown }).data;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { refused: [...new Set(error.faults.map(({ field }) => field))].sort() };
  }
};

const created = (data: unknown) => outcomeOf(() => readBody(linkDraft, bodyOf(data)));
const changed = (stored: Texts | undefined, data: unknown, isPatch = false) =>
  outcomeOf(() => {
    const before = { ...bodyOf(stored), code: 'one', status: 'ACTIVE' } as unknown as Link;
    const request = readBody<SentLink>(isPatch ? linkPatch : linkChange, bodyOf(data));
    return patched(before, request, now, isPatch ? undefined : bySections).link;
  });

/** The specification over plain objects. */
const model = {
  faults: (data: Texts): string[] =>
    Object.entries(data)
      .filter(
        ([name, text]) =>
          !/^[A-Za-z0-9_.-]{1,40}$/.test(name) ||
          (text !== null && (text.length > 500 || !text.isWellFormed() || /(?![\t\n\r])\p{Cc}/u.test(text))),
      )
      .map(([name]) => `payload.data.${name || "''"}`),
  whole: (data: Texts): string[] =>
    Object.keys(data).length > 20 || Buffer.byteLength(JSON.stringify(data)) > 1024 ? ['payload.data'] : [],
  settled: (data: Texts): Texts | { refused: string[] } | undefined => {
    const given = Object.fromEntries(Object.entries(data).filter(([, text]) => text !== null));
    const refused = [...new Set([...model.faults(data), ...model.whole(given)])].sort();
    if (refused.length > 0) return { refused };
    return Object.keys(given).length > 0 ? given : undefined;
  },
};

const name = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('a', 'B.c', '_', '-', '0', 'link', 'metadata', 'x'.repeat(40)) },
  { weight: 1, arbitrary: fc.constantFrom('', 'ä', 'a b', 'x'.repeat(41), 'a/b') },
);
const text = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom('', 'x', '\t\r\n', 'ü👋\u202e', '"\\'.repeat(90), '語'.repeat(150)),
  },
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(500), 'x'.repeat(501), '\ud800', '\0', '\x7f', '\x85') },
);
const texts = fc.oneof(
  { weight: 9, arbitrary: fc.dictionary(name, text, { maxKeys: 6 }) },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 19, max: 22 })
      .map((count) =>
        Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, i % 2 ? 'x' : ''])),
      ),
  },
);
const storable = texts
  .filter((one) => !('refused' in (model.settled(one) ?? {})))
  .map((one) => model.settled(one) as Texts | undefined);

/** Data of so many bytes as JSON, at least 1022. */
const ofBytes = (bytes: number): Texts => ({
  a: 'x'.repeat(500),
  b: 'x'.repeat(500),
  c: 'x'.repeat(bytes - 1022),
});

test('creations, updates and patches treat data as the specification does', () => {
  fc.assert(
    fc.property(storable, fc.option(texts, { nil: undefined }), (stored, data) => {
      expect(created(data)).toEqual(model.settled(data ?? {}));
      expect(changed(stored, data)).toEqual(data === undefined ? stored : model.settled(data));
      const faults = data === undefined ? [] : model.faults(data).sort();
      expect(changed(stored, data, true)).toEqual(
        faults.length > 0
          ? { refused: faults }
          : data === undefined
            ? stored
            : model.settled({ ...stored, ...data }),
      );
    }),
    { numRuns: runs(100), examples: [1024, 1025].map((bytes) => [undefined, ofBytes(bytes)]) },
  );
});

test.each([true, 'a', 7, ['a']])('data must be an object of texts, not %j', (data) => {
  for (const outcome of [created(data), changed({ a: 'x' }, data), changed(undefined, data, true)])
    expect(outcome).toEqual({ refused: ['payload.data'] });
  if (typeof data === 'string') return;
  for (const isPatch of [false, true])
    expect(changed(undefined, { a: data }, isPatch)).toEqual({ refused: ['payload.data.a'] });
});

test('null clears, and neither __proto__ nor another inherited name gets in', () => {
  expect([created(null), changed({ a: 'x' }, null), changed({ a: 'x' }, null, true)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  const proto = JSON.parse('{"__proto__":"x"}');
  const refused = { refused: ['payload.data.__proto__'] };
  expect([created(proto), changed(undefined, proto), changed(undefined, proto, true)]).toEqual([
    refused,
    refused,
    refused,
  ]);
  expect(created({ constructor: 'x', toString: 'y' })).toEqual({ constructor: 'x', toString: 'y' });
});

test.each(['customData', 'custom_data', 'metadata', 'deeplink_data', 'Meta-Data'])(
  '%s is meant for payload.data',
  (other) => {
    for (const body of [
      { payload: { link, [other]: { a: 'x' } } },
      { payload: { link }, [other]: 'x' },
      { payload: { link }, data: {} },
    ])
      for (const schema of [linkDraft, linkChange, linkPatch] as const)
        expect(() => readBody<unknown>(schema, body)).toThrow('use payload.data');
  },
);
