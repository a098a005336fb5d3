import * as fc from 'fast-check';
import { projectKey } from '../../../core/table/keys.ts';
import { ConditionFailed } from '../../../core/table/table.ts';
import { untilMet } from '../../../core/table/until-met.ts';
import { updateOf } from '../../../core/table/update.ts';
import { unique } from '../../support/builders.ts';
import { fileTable } from '../../support/engine.ts';
import { runs } from '../../support/nightly.ts';

const db = fileTable();

const attribute: fc.Arbitrary<string> = fc.constantFrom('status', 'name', 'ttl', 'host', 'count');
const values = fc.dictionary(attribute, fc.oneof(fc.string({ minLength: 1 }), fc.integer()));

test('an update sets, keeps existing values, and removes, whatever the attributes are called', () =>
  fc.assert(
    fc.asyncProperty(values, values, fc.uniqueArray(attribute), async (before, after, gone) => {
      const key = projectKey(unique('p'));
      await db.table.put({ Item: { ...key, ...before } });
      const removed = gone.filter((name) => !(name in after));
      const kept = Object.fromEntries(
        Object.entries({ count: 1, host: 'h' }).filter(
          ([name]) => !(name in after) && !removed.includes(name),
        ),
      );
      await db.table.update(
        updateOf(key, {
          set: { ...after, ...(Object.keys(after).length === 0 && { at: 'now' }) },
          first: kept,
          remove: removed,
        }),
      );
      const expected: Record<string, unknown> = { ...kept, ...before, ...after };
      for (const name of removed) delete expected[name];
      const { at: _, PK, SK, ...stored } = (await db.table.get(key)) ?? {};
      expect(stored).toEqual(expected);
      expect({ PK, SK }).toEqual(key);
    }),
    { numRuns: runs(20) },
  ));

test('numbers add up, and sets gain and lose members', async () => {
  const key = projectKey(unique('p'));
  await db.table.update(updateOf(key, { add: { count: 2, names: new Set(['a', 'b']) } }));
  await db.table.update(updateOf(key, { add: { count: 3 }, take: { names: new Set(['a']) } }));
  expect(await db.table.get(key)).toMatchObject({ count: 5, names: new Set(['b']) });
});

test('a condition names attributes and values as it likes, and undefined ones stay unchanged', async () => {
  const key = projectKey(unique('p'));
  await db.table.put({ Item: { ...key, status: 'ACTIVE', by: 'x' } });
  const pause = updateOf(key, {
    set: { status: 'PAUSED', by: undefined },
    when: '#status = :other',
    values: { other: 'ACTIVE' },
  });
  await db.table.update(pause);
  expect(await db.table.get(key)).toMatchObject({ status: 'PAUSED', by: 'x' });
  await expect(db.table.update(pause)).rejects.toThrow(ConditionFailed);
});

test('writes that meet are made one after the other, and one that others keep changing is given up as busy', async () => {
  const key = projectKey(unique('p'));
  const addOne = () =>
    untilMet(async () => {
      const { count } = (await db.table.get(key)) ?? {};
      const next = Number(count ?? 0) + 1;
      const when = count === undefined ? 'attribute_not_exists(#count)' : '#count = :seen';
      await db.table.update(updateOf(key, { set: { count: next }, when, values: { seen: count } }));
    });
  await Promise.all([addOne(), addOne(), addOne(), addOne()]);
  expect(await db.table.get(key)).toMatchObject({ count: 4 });

  let attempts = 0;
  const never = untilMet(async () => {
    attempts += 1;
    await db.table.update(updateOf(key, { set: { count: 0 }, when: '#count = :none', values: { none: -1 } }));
  });
  await expect(never).rejects.toMatchObject({ name: 'ItemKeptChanging' });
  expect(attempts).toBe(20);
});
