import { Bounded } from '../base/bounded.ts';
import type { Owner } from '../table/figure-keys.ts';
import type { Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type Amounts, Counts } from './amounts.ts';
import { daysBefore } from './days.ts';
import { limitOf, type NameLimit } from './figures.ts';
import { establishedReferrers } from './shown-names.ts';

const mostUnnamed = 10_000;

type Names = ReadonlySet<string>;
const nothing: Names = new Set();

/**
 * Keeps items from growing with every name that visitors invent. The writes themselves return the names that
 * an item has; before the first one, a single batch may fill the item.
 */
export class KnownNames {
  readonly #items = new Bounded<Names>(5000);
  /** By owner and day. */
  readonly #established = new Bounded<Names>(1000);
  /** What was counted here under the name for others. */
  readonly #unnamed = new Counts();

  /**
   * The same amounts, with names that have no room added up under the name for others. Established ones don't need
   * room.
   */
  limit(key: Key, amounts: Amounts, established = nothing): Amounts {
    const known = this.#items.get(nameOf(key)) ?? nothing;
    const rooms = new Map<NameLimit, number>();
    const limited = new Counts();
    for (const [name, amount] of amounts) {
      const limit = limitOf(name);
      const isNew = limit && !known.has(name) && !established.has(name);
      if (!isNew) {
        limited.add(name, amount);
        continue;
      }
      const taken = () => [...known].filter((one) => limitOf(one) === limit && !established.has(one)).length;
      const room = rooms.get(limit) ?? limit.most - taken();
      rooms.set(limit, room - 1);
      limited.add(room > 0 ? name : limit.others, amount);
    }
    return limited;
  }

  /** The names of an item as it is now. */
  learn(key: Key, names: Iterable<string>): void {
    const known = new Set([...names].filter(limitOf));
    if (known.size > 0) this.#items.set(nameOf(key), known);
  }

  /** The referrers that an owner's day names in any case; read once. */
  async established(table: Pick<Table, 'get' | 'query'>, owner: Owner, day: number): Promise<Names> {
    const place = `${owner.project} ${owner.code ?? ''} ${day}`;
    const found =
      this.#established.get(place) ?? establishedReferrers(day, await daysBefore(table, owner, day));
    this.#established.set(place, found);
    return found;
  }

  /** Notes what a name without room got among the others, and returns all that it got there from this writer. */
  addUnnamed(key: Key, name: string, amount: number): number {
    const place = `${nameOf(key)} ${name}`;
    this.#unnamed.add(place, amount);
    const total = this.#unnamed.get(place) ?? 0;
    if (this.#unnamed.size > mostUnnamed) this.#dropRarest();
    return total;
  }

  /** Forgets it, before it is taken from the others: whether that was done may never be known. */
  forgetUnnamed(key: Key, name: string): void {
    this.#unnamed.delete(`${nameOf(key)} ${name}`);
  }

  /** Half of them at a time, so that it costs little. Whoever invents names can't push busy ones out. */
  #dropRarest(): void {
    const byAmount = [...this.#unnamed].sort(([, one], [, other]) => one - other);
    for (const [place] of byAmount.slice(0, mostUnnamed / 2)) this.#unnamed.delete(place);
  }
}

const nameOf = ({ PK, SK }: Key) => `${PK} ${SK}`;
