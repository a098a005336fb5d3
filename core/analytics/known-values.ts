import { Bounded } from '../base/bounded.ts';
import type { Key } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { type Amounts, Tally } from './amounts.ts';
import { limitOf, nameLimits } from './analytics.ts';
import type { ItemRecords } from './analytics-items.ts';
import { daysBefore } from './days.ts';
import { busiest, establishedReferrers, isCrowded } from './top-values.ts';

/** The most names without a place that are remembered for an item, by clicks, so that invented names don't displace busy ones. */
const mostUnnamed = 250;

type Names = ReadonlySet<string>;

/** An item's names, as this writer knows them. */
interface Known {
  /** Clicks of each limited name. */
  readonly named: Amounts;
  /** Clicks that this writer counted under the name for others, by the original name. */
  readonly unnamed: Amounts;
}

/** An addition to an item, with names that lose their places. */
export interface NamedAmounts extends Pick<Known, 'unnamed'> {
  readonly amounts: Amounts;
  /** Names that lose their places, with clicks that move to the others. */
  readonly leaving: Amounts;
}

const nothing = { named: new Map(), unnamed: new Map(), amounts: new Map(), leaving: new Map() } as const;

/**
 * Limits the names in items, and keeps the busiest of an hour, whenever they came. Writes return the names in an item;
 * before the first write, a single batch may fill the item.
 */
export class KnownNames {
  readonly #items = new Bounded<Known>(5000);
  /** Established referrers by owner and day. */
  readonly #established = new Bounded<Names>(1000);

  /** Learns an item's names from a write's result. */
  learn(key: Key, item: Item, { amounts, leaving, unnamed }: NamedAmounts = nothing): void {
    const named = new Tally();
    for (const [name, amount] of [...Object.entries(item), ...amounts])
      if (limitOf(name) && !leaving.has(name)) named.add(name, Number(amount));
    if (named.size > 0) this.#items.set(nameOf(key), { named, unnamed });
  }

  /** Finds places for an addition's names. Established referrers always have one; they are read once. */
  async place(
    table: Pick<Table, 'get' | 'query'>,
    { key, owner, hour }: ItemRecords,
    wanted: Amounts,
  ): Promise<NamedAmounts> {
    const known = this.#items.get(nameOf(key)) ?? nothing;
    // Forgotten until the write's response, because without one, its effect on the others is unknown.
    this.#items.delete(nameOf(key));
    if (hour === undefined || !isCrowded([...known.named.keys(), ...wanted.keys()]))
      return placed(known, wanted, new Set());
    const day = Math.floor(hour / 24);
    const place = `${owner.project} ${owner.code ?? ''} ${day}`;
    const established =
      this.#established.get(place) ?? establishedReferrers(day, await daysBefore(table, owner, day));
    this.#established.set(place, established);
    return placed(known, wanted, established);
  }
}

/**
 * Counts names without a place under the name for others. The busiest of them replaces the rarest placed one, if that
 * has fewer clicks: clicks of both move from and to the others, so the sum stays.
 */
const placed = ({ named, unnamed }: Known, wanted: Amounts, established: Names): NamedAmounts => {
  const amounts = new Map(wanted);
  const add = (name: string, amount: number) => amounts.set(name, (amounts.get(name) ?? 0) + amount);
  const late = new Tally(unnamed);
  const leaving = new Map<string, number>();
  for (const limit of nameLimits) {
    const isOf = (name: string) => limitOf(name) === limit && !established.has(name);
    const fresh = busiest(wanted, (name) => isOf(name) && !named.has(name));
    const taken = [...named.keys()].filter(isOf).length;
    for (const name of fresh.slice(Math.max(0, limit.most - taken))) {
      late.add(name, wanted.get(name) ?? 0);
      add(limit.others, wanted.get(name) ?? 0);
      amounts.delete(name);
    }
    const [most = ''] = busiest(late, (name) => isOf(name) && !named.has(name));
    const least = busiest(named, (name) => isOf(name) && !wanted.has(name)).at(-1) ?? '';
    const [gained, left] = [late.get(most) ?? 0, named.get(least) ?? Infinity];
    if (gained <= left) continue;
    late.delete(most);
    leaving.set(least, left);
    add(most, gained);
    add(limit.others, left - gained);
  }
  const kept = busiest(late, () => true).slice(0, mostUnnamed);
  return { amounts, leaving, unnamed: new Map(kept.map((name) => [name, late.get(name) ?? 0])) };
};

const nameOf = ({ PK, SK }: Key) => `${PK} ${SK}`;
