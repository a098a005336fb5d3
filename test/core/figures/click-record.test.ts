import * as fc from 'fast-check';
import { packedPosition } from '../../../core/figures/click.ts';
import { readClick, type VisitorChange } from '../../../core/figures/click-record.ts';
import { noValues } from '../../../core/figures/splits.ts';

const image = ({ hits = 1, ...visit }: Record<string, string | number> = {}) => ({
  hits: { N: String(hits) },
  visit: {
    M: Object.fromEntries(
      Object.entries({ platform: 'ios', country: 'DE', seen: 1000, newFrom: 2000, ...visit }).map(
        ([name, value]) => [name, typeof value === 'number' ? { N: String(value) } : { S: value }],
      ),
    ),
  },
});

const change = (fields: Partial<VisitorChange> = {}): VisitorChange => ({
  Keys: { PK: { S: 'VISITOR#acme#spring#1' }, SK: { S: 'VISITOR' } },
  NewImage: image(),
  SequenceNumber: '000000000000000000042',
  ApproximateCreationDateTime: 1_772_000_000,
  ...fields,
});

test('reads a first click', () => {
  expect(readClick(change())).toEqual({
    project: 'acme',
    code: 'spring',
    isGrouped: false,
    sequenceNumber: '000000000000000000042',
    position: packedPosition('42'),
    created: 1_772_000_000,
    clicks: 1,
    unique: true,
    at: 1000,
    ...noValues,
    platform: 'ios',
    country: 'DE',
    // Records from before this distinction.
    referrer: 'other',
    browser: 'other',
    os: 'other',
    trigger: 'link',
    rule: 'none',
    campaign: 'none',
    source: 'none',
    own: '',
    tags: [],
    opens: 0,
    firstOpens: 0,
  });
});

test('reads what an app opened', () => {
  const opened = (opens: number, firstOpens: number) => ({
    opens: { N: String(opens) },
    firstOpens: { N: String(firstOpens) },
    visit: { M: { platform: { S: 'ios' }, seen: { N: '1000' } } },
  });
  expect(readClick(change({ NewImage: opened(1, 1) }))).toMatchObject({
    clicks: 0,
    unique: false,
    opens: 1,
    firstOpens: 1,
  });
  expect(readClick(change({ NewImage: opened(2, 1), OldImage: opened(1, 1) }))).toMatchObject({
    opens: 1,
    firstOpens: 0,
  });
  expect(readClick(change({ NewImage: opened(2, 3), OldImage: opened(1, 0) }))).toMatchObject({
    opens: 1,
    firstOpens: 1,
  });
});

test.each<[string, Partial<VisitorChange>, object]>([
  [
    'one more click',
    { NewImage: image({ hits: 5 }), OldImage: image({ hits: 4 }) },
    { clicks: 1, unique: false },
  ],
  ['clicks that came as one', { NewImage: image({ hits: 9 }), OldImage: image({ hits: 4 }) }, { clicks: 5 }],
  [
    'a visitor within the time',
    { NewImage: image({ hits: 2, seen: 1999 }), OldImage: image() },
    { unique: false },
  ],
  [
    'a visitor whose time is up',
    { NewImage: image({ hits: 2, seen: 2000 }), OldImage: image() },
    { unique: true },
  ],
  ['an unknown platform', { NewImage: image({ platform: 'tv' }) }, { platform: 'web' }],
  ['no platform', { NewImage: { hits: { N: '1' } } }, { platform: 'web', country: 'other', clicks: 1 }],
  ['an unknown country', { NewImage: image({ country: 'Europe' }) }, { country: 'other' }],
  ['a country in small letters', { NewImage: image({ country: 'de' }) }, { country: 'other' }],
  [
    'a time whose year has five digits',
    { NewImage: image({ seen: 253_402_300_800 }) },
    { at: 1_772_000_000 },
  ],
  ['the last second before', { NewImage: image({ seen: 253_402_300_799 }) }, { at: 253_402_300_799 }],
  [
    'names, those of them that are the link’s own, and tags',
    { NewImage: image({ campaign: 'spring', source: 'mail', own: 'g#', tags: 'poster/berlin,summer' }) },
    { campaign: 'spring', source: 'mail', own: 'g#', tags: ['poster/berlin', 'summer'] },
  ],
  ['no time', { NewImage: { hits: { N: '2' } }, OldImage: image() }, { clicks: 1, unique: false }],
])('reads %s', (_, fields, expected) => {
  expect(readClick(change(fields))).toMatchObject(expected);
});

test.each<[string, Partial<VisitorChange> | undefined]>([
  ['nothing', undefined],
  ['the key of something else', { Keys: { PK: { S: 'LINK#acme#spring' } } }],
  ['a key without a visitor', { Keys: { PK: { S: 'VISITOR#acme#spring' } } }],
  ['no key', { Keys: undefined }],
  ['no number', { SequenceNumber: undefined }],
  ['a number that is none', { SequenceNumber: '4x' }],
  ['no image', { NewImage: undefined }],
  ['no hits', { NewImage: {} }],
  ['hits that are text', { NewImage: { hits: { S: '1' } } }],
  ['hits that are no number', { NewImage: { hits: { N: 'many' } } }],
  ['a part of a hit', { NewImage: { hits: { N: '1.5' } } }],
  ['fewer hits than before', { NewImage: image({ hits: 1 }), OldImage: image({ hits: 2 }) }],
  ['as many hits as before', { OldImage: image() }],
  ['hits of before that are none', { NewImage: image({ hits: 3 }), OldImage: {} }],
])('returns no click for %s', (_, fields) => {
  expect(readClick(fields && change(fields))).toBeUndefined();
});

test('never throws, whatever a record holds', () => {
  fc.assert(
    fc.property(
      fc.record(
        {
          Keys: fc.anything(),
          NewImage: fc.anything(),
          OldImage: fc.anything(),
          SequenceNumber: fc.anything(),
        },
        { requiredKeys: [] },
      ),
      (record) => {
        const click = readClick({ ...change(), ...(record as VisitorChange) });
        expect(click === undefined || click.clicks > 0).toBe(true);
      },
    ),
  );
});
