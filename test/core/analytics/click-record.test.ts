import * as fc from 'fast-check';
import { readClick, type VisitorChange } from '../../../core/analytics/click-record.ts';
import { noValues } from '../../../core/analytics/dimensions.ts';
import { packedPosition } from '../../../core/analytics/positions.ts';

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

test('reads the link that an app opened', () => {
  const opened = (opens: number, firstOpens: number) => ({
    opens: { N: String(opens) },
    firstOpens: { N: String(firstOpens) },
    visit: { M: { platform: { S: 'ios' }, seen: { N: '1000' } } },
  });
  for (const [now, before, opens, firstOpens] of [
    [opened(1, 1), undefined, 1, 1],
    [opened(2, 1), opened(1, 1), 1, 0],
    [opened(2, 3), opened(1, 0), 1, 1],
  ] as const)
    expect(readClick(change({ NewImage: now, OldImage: before }))).toMatchObject({
      ...{ clicks: 0, unique: false, opens, firstOpens },
    });
});

type Image = VisitorChange['NewImage'];
const names = { campaign: 'spring', source: 'mail', own: 'g#' };

test.each<[string, Image, Image, object]>([
  ['one more click', image({ hits: 5 }), image({ hits: 4 }), { clicks: 1, unique: false }],
  ['clicks that came as one', image({ hits: 9 }), image({ hits: 4 }), { clicks: 5 }],
  ['a visitor within the time', image({ hits: 2, seen: 1999 }), image(), { unique: false }],
  ['a visitor whose time is up', image({ hits: 2, seen: 2000 }), image(), { unique: true }],
  ['no time', { hits: { N: '2' } }, image(), { clicks: 1, unique: false }],
  ['an unknown platform', image({ platform: 'tv' }), undefined, { platform: 'web' }],
  ['no platform', { hits: { N: '1' } }, undefined, { platform: 'web', country: 'other', clicks: 1 }],
  ['an unknown country', image({ country: 'Europe' }), undefined, { country: 'other' }],
  ['a country in small letters', image({ country: 'de' }), undefined, { country: 'other' }],
  ['a year of five digits', image({ seen: 253_402_300_800 }), undefined, { at: 1_772_000_000 }],
  ['the last second before', image({ seen: 253_402_300_799 }), undefined, { at: 253_402_300_799 }],
  ['names, those that are the link’s own', image(names), undefined, names],
  ['tags', image({ tags: 'poster/berlin,summer' }), undefined, { tags: ['poster/berlin', 'summer'] }],
])('reads %s', (_, NewImage, OldImage, expected) => {
  expect(readClick(change({ NewImage, OldImage }))).toMatchObject(expected);
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
