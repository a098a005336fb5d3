import type { Group } from '../../../core/analytics/analytics.ts';
import { analyticsItemsOf } from '../../../core/analytics/analytics-items.ts';
import { analyticsStore } from '../../../core/analytics/analytics-store.ts';
import type { ClickRecord } from '../../../core/analytics/click-record.ts';
import { timeseriesStore } from '../../../core/analytics/timeseries-store.ts';
import { rankedGroup } from '../../../core/analytics-queries/groupings.ts';
import type { Table } from '../../../core/table/table.ts';
import { aClickRecord, unique } from '../../support/builders.ts';
import { fileTable } from '../../support/engine.ts';

const db = fileTable();
const begin = Date.parse('2026-03-02T10:00:00Z');
const dayMs = 86_400_000;

let project: string;
let counted = 0;
beforeEach(() => {
  project = unique('project');
});

const recordOf = (fields: Partial<ClickRecord>): ClickRecord => {
  counted += 1;
  const at = begin / 1000;
  return aClickRecord({ project, code: 'link', at, created: at, ...fields }, counted);
};

const add = async (records: readonly ClickRecord[], now = begin, analytics = storeAt(now)) => {
  for (const item of analyticsItemsOf({ shard: 'stream/shard', records })) await analytics.add(item);
};
const storeAt = (now: number) => analyticsStore(db.table, { clock: () => new Date(now) });

/** Clicks by name, of the link or of its project, in the hour and on the day. */
const namesOf = async (group: Group, code?: string, now = begin) => {
  const start = Math.floor(begin / dayMs) * dayMs;
  const spans = [
    { unit: 'hour', start: begin, end: begin + 3_600_000 },
    { unit: 'day', start, end: start + dayMs },
  ] as const;
  const [hour, day] = await Promise.all(
    spans.map((span) => timeseriesStore(db.table).find({ project, code }, [span], new Date(now))),
  );
  expect(rankedGroup(group, day ?? [])).toEqual(rankedGroup(group, hour ?? []));
  return Object.fromEntries(rankedGroup(group, day ?? []));
};

test('invented names push no own name out of a link’s analytics, whether its day is closed or not', async () => {
  const analytics = storeAt(begin);
  const own = { campaign: 'spring', source: 'mail', own: 'g#s#' };
  for (let batch = 0; batch < 10; batch += 1) {
    const invented = Array.from({ length: 500 }, (_, i) =>
      recordOf({ campaign: `invented-${batch}-${i}`, source: 'mail', own: 's#', clicks: 3 }),
    );
    await add([...invented, recordOf(own)], begin, analytics);
  }
  const late = begin + 60 * dayMs;
  for (const now of [begin, late]) {
    if (now === late) await add([recordOf({ at: late / 1000, created: late / 1000 })], late);
    const campaigns = await namesOf('campaigns', 'link', now);
    expect(campaigns).toMatchObject({ spring: 10 });
    // 40 invented ones, and the rest.
    expect(Object.keys(campaigns)).toHaveLength(1 + 40 + 1);
    expect(Object.values(campaigns).reduce((sum, n) => sum + n)).toBe(15_010);
    expect(await namesOf('sources', 'link', now)).toEqual({ mail: 15_010 });
  }
});

test('a name that is the link’s own and invented before or after is shown once', async () => {
  await add([
    recordOf({ campaign: 'spring' }),
    recordOf({ campaign: 'spring', own: 'g#' }),
    recordOf({ campaign: 'other', own: 'g#', clicks: 4 }),
    recordOf({ clicks: 2 }),
  ]);
  const wanted = { other: 4, none: 2, spring: 2 };
  expect(await namesOf('campaigns', 'link')).toEqual(wanted);
  expect(await namesOf('campaigns')).toEqual(wanted);
});

test('a click counts under each of its link’s tags, of which an item has room for a hundred', async () => {
  const analytics = storeAt(begin);
  const first = [recordOf({ tags: ['a', 'b'], clicks: 2 }), recordOf({ tags: ['b'] }), recordOf({})];
  await add(first, begin, analytics);
  expect(await namesOf('tags')).toEqual({ a: 2, b: 3 });
  expect(await namesOf('tags', 'link')).toEqual({});
  const many = Array.from({ length: 110 }, (_, i) => recordOf({ tags: [`tag-${i}`] }));
  await add(many, begin, analytics);
  expect(Object.keys(await namesOf('tags'))).toHaveLength(100);
  expect(await namesOf('tags')).toMatchObject({ a: 2, b: 3 });
});

test('clicks that 1.2 counted, and those of a day that it closed, have no campaign and no tags', async () => {
  const named = recordOf({ campaign: 'spring', source: 'mail', own: 'g#', tags: ['a'], clicks: 3 });
  await add([named, recordOf({ clicks: 5 })]);
  expect(await namesOf('campaigns', 'link')).toEqual({ none: 5, spring: 3 });
  expect(await namesOf('sources')).toEqual({ mail: 3, none: 5 });
  expect(await namesOf('tags')).toEqual({ a: 3 });
  const late = begin + 60 * dayMs;
  const isUnknown = (name: string) => /^[gGsSh]#/.test(name);
  const before: Table = {
    ...db.table,
    put: ({ Item, ...input }) => {
      const kept = Object.entries(Item ?? {}).filter(([name]) => !isUnknown(name));
      return db.table.put({ ...input, Item: Object.fromEntries(kept) });
    },
  };
  const closing = analyticsStore(before, { clock: () => new Date(late) });
  await add([recordOf({ at: late / 1000, created: late / 1000 })], late, closing);
  for (const code of ['link', undefined]) {
    const day = { unit: 'day', start: Math.floor(begin / dayMs) * dayMs, end: begin + dayMs } as const;
    const found = await timeseriesStore(db.table).find({ project, code }, [day], new Date(late + dayMs));
    expect(rankedGroup('campaigns', found)).toEqual([['none', 8]]);
    expect(rankedGroup('tags', found)).toEqual([]);
  }
});
