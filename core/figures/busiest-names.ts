import type { Key } from '../table/keys.ts';
import { type Item, met, type Updates } from '../table/table.ts';
import type { Amounts } from './amounts.ts';
import { nameLimits } from './figures.ts';
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
  let now = item;
  for (const { prefix, beyond } of nameLimits) {
    const others = prefix + beyond;
    const countOf = (name: string) => Number(now[name]);
    const [late] = [...wanted]
      .filter(([name]) => name.startsWith(prefix) && !(name in now))
      .map(([name, amount]) => [name, names.addUnnamed(key, name, amount)] as const)
      .sort(([, one], [, other]) => other - one);
    if (!late) continue;
    const [least] = Object.keys(now)
      .filter((name) => name.startsWith(prefix) && name !== others && !established.has(name))
      .sort((one, other) => countOf(one) - countOf(other));
    if (least === undefined || late[1] <= countOf(least)) continue;
    names.forgetUnnamed(key, late[0]);
    const isDone = await met(table.update(exchange(key, { least, late, others, count: countOf(least) })));
    if (!isDone) continue;
    const { [least]: _, ...rest } = now;
    now = { ...rest, [late[0]]: late[1] };
    names.learnItem(key, now);
  }
};

interface Exchange {
  readonly least: string;
  readonly late: readonly [name: string, amount: number];
  readonly others: string;
  readonly count: number;
}

const exchange = (key: Key, { least, late: [name, amount], others, count }: Exchange) => ({
  Key: key,
  UpdateExpression: 'ADD #others :moved, #late :amount REMOVE #least',
  ConditionExpression: '#least = :count AND attribute_not_exists(#late)',
  ExpressionAttributeNames: { '#least': least, '#late': name, '#others': others },
  ExpressionAttributeValues: { ':count': count, ':amount': amount, ':moved': count - amount },
});
