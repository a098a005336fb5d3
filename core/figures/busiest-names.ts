import type { Key } from '../table/keys.ts';
import { type Item, met, type Updates } from '../table/table.ts';
import { updateOf } from '../table/update.ts';
import type { Amounts } from './amounts.ts';
import { limitOf, nameLimits } from './figures.ts';
import type { KnownNames } from './known-names.ts';

interface Crowded {
  readonly key: Key;
  /** As it is now. */
  readonly item: Item;
  /** What was added, before names without room were added up as others. */
  readonly wanted: Amounts;
  /** Names that keep their places. */
  readonly established: ReadonlySet<string>;
}

/**
 * Gives a name that came late the place of one with fewer clicks than this writer has added of it to the others, so that
 * the busiest of an hour are named whenever they came. Both counts stay in the sum: the one goes to the others, the other
 * comes from there. An exchange that is refused or never made loses nothing.
 */
export const keepBusiest = async (
  table: Updates,
  { key, item, wanted, established }: Crowded,
  names: KnownNames,
): Promise<void> => {
  const named = new Set(Object.keys(item));
  const countOf = (name: string) => Number(item[name]);
  for (const limit of nameLimits) {
    const [late] = [...wanted.keys()]
      .filter((name) => limitOf(name) === limit && !named.has(name))
      .map((name) => ({ name, amount: names.addUnnamed(key, name, wanted.get(name) ?? 0) }))
      .sort((one, other) => other.amount - one.amount);
    const [least] = Object.keys(item)
      .filter((name) => limitOf(name) === limit && !established.has(name))
      .sort((one, other) => countOf(one) - countOf(other));
    if (!late || least === undefined || late.amount <= countOf(least)) continue;
    names.forgetUnnamed(key, late.name);
    const exchange = updateOf(key, {
      add: { [limit.others]: countOf(least) - late.amount, [late.name]: late.amount },
      remove: [least],
      when: '#least = :count AND attribute_not_exists(#late)',
      names: { least, late: late.name },
      values: { count: countOf(least) },
    });
    if (!(await met(table.update(exchange)))) continue;
    named.delete(least);
    names.learn(key, named.add(late.name));
  }
};
