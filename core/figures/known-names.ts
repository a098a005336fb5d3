import { Bounded } from '../base/bounded.ts';
import type { Key } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { type Amounts, Tally } from './amounts.ts';
import { daysBefore } from './days.ts';
import type { ItemRecords } from './figure-items.ts';
import { limitOf, nameLimits } from './figures.ts';
import { busiest, establishedReferrers, isCrowded } from './shown-names.ts';

/** Of an item, those with the most clicks: whoever invents names can't push busy ones out. */
const mostUnnamed = 250;

type Names = ReadonlySet<string>;

/** What an item has, as far as this writer knows. */
interface Known {
  /** The clicks of each name that is limited. */
  readonly named: Amounts;
  /** What this writer counted under the name for others, by the names that had no room. */
  readonly unnamed: Amounts;
}

/** An addition to an item, and what it leaves. */
export interface NamedAmounts extends Pick<Known, 'unnamed'> {
  readonly amounts: Amounts;
  /** Names that give their places, with the clicks that they have and leave to the others. */
  readonly leaving: Amounts;
}

const nothing = { named: new Map(), unnamed: new Map(), amounts: new Map(), leaving: new Map() } as const;

/**
 * Keeps items from growing with every name that visitors invent, and the busiest of an hour named whenever they came. The writes
 * themselves return the names that an item has; before the first one, a single batch may fill the item.
 */
export class KnownNames {
  readonly #items = new Bounded<Known>(5000);
  /** By owner and day. */
  readonly #established = new Bounded<Names>(1000);

  /** Learns what an item had before a write, and with it. */
  learn(key: Key, item: Item, { amounts, leaving, unnamed }: NamedAmounts = nothing): void {
    const named = new Tally();
    for (const [name, amount] of [...Object.entries(item), ...amounts])
      if (limitOf(name) && !leaving.has(name)) named.add(name, Number(amount));
    if (named.size > 0) this.#items.set(nameOf(key), { named, unnamed });
  }

  /** Finds places for the names of an addition. Referrers that an owner's day names in any case need no room; they are read once. */
  async place(
    table: Pick<Table, 'get' | 'query'>,
    { key, owner, hour }: ItemRecords,
    wanted: Amounts,
  ): Promise<NamedAmounts> {
    const known = this.#items.get(nameOf(key)) ?? nothing;
    // Forgotten until the write has an answer: whether it took clicks from the others may never be known.
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
 * Names without room are added up under the name for others. The one of them that has got most there takes the place of the
 * rarest, if that has fewer clicks: the one's come from the others, the other's go to them, so the sum stays.
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
