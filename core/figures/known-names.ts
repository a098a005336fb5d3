import type { Key } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import type { Amounts } from './amounts.ts';
import { daysBefore } from './days.ts';
import { nameLimits, type Owner } from './figures.ts';
import { establishedReferrers } from './shown-names.ts';

const most = 5000;
const mostUnnamed = 10_000;
const mostDays = 1000;
const nothing: ReadonlySet<string> = new Set();

/**
 * Keeps items from growing with every name that visitors invent. The writes themselves return the names that
 * an item has; before the first one, a single batch may fill the item.
 */
export class KnownNames {
  readonly #items = new Map<string, Set<string>>();
  /** What was counted here under the name for others. */
  readonly #unnamed = new Map<string, number>();
  /** By owner and day. */
  readonly #established = new Map<string, ReadonlySet<string>>();

  /**
   * The same amounts, with names that have no room added up under the name for others. Established ones don't need
   * room.
   */
  limit(key: Key, amounts: Amounts, established = nothing): Amounts {
    const known = this.#items.get(nameOf(key));
    let limited = amounts;
    for (const { prefix, most, beyond } of nameLimits) {
      if (![...limited.keys()].some((name) => name.startsWith(prefix))) continue;
      const own = [...(known ?? [])].filter((name) => name.startsWith(prefix) && !established.has(name));
      let room = most - own.length;
      const moved = new Map<string, number>();
      for (const [name, amount] of limited) {
        const isNew = name.startsWith(prefix) && !known?.has(name) && !established.has(name);
        if (isNew) room -= 1;
        const shown = isNew && room < 0 ? prefix + beyond : name;
        moved.set(shown, (moved.get(shown) ?? 0) + amount);
      }
      limited = moved;
    }
    return limited;
  }

  /** The names that an item has or just got. */
  learn(key: Key, ...names: Iterable<string>[]): void {
    const known = this.#items.get(nameOf(key)) ?? new Set();
    for (const name of names.flatMap((some) => [...some])) {
      if (nameLimits.some(({ prefix }) => name.startsWith(prefix))) known.add(name);
    }
    this.#items.delete(nameOf(key));
    if (known.size === 0) return;
    this.#items.set(nameOf(key), known);
    const [oldest] = this.#items.keys();
    if (this.#items.size > most && oldest !== undefined) this.#items.delete(oldest);
  }

  /** Notes what a name without room got among the others, and returns all that it got there from this writer. */
  addUnnamed(key: Key, name: string, amount: number): number {
    const place = `${nameOf(key)} ${name}`;
    const total = (this.#unnamed.get(place) ?? 0) + amount;
    this.#unnamed.set(place, total);
    if (this.#unnamed.size > mostUnnamed) this.#dropRarest();
    return total;
  }

  /** Half of them at a time, so that it costs little. Whoever invents names can't push busy ones out. */
  #dropRarest(): void {
    const byAmount = [...this.#unnamed].sort(([, one], [, other]) => one - other);
    for (const [place] of byAmount.slice(0, mostUnnamed / 2)) this.#unnamed.delete(place);
  }

  /** The referrers that an owner's day names in any case; read once. */
  async established(
    table: Pick<Table, 'get' | 'query'>,
    owner: Owner,
    day: number,
  ): Promise<ReadonlySet<string>> {
    const place = `${owner.project} ${owner.code ?? ''} ${day}`;
    const known = this.#established.get(place);
    if (known) return known;
    const found = establishedReferrers(day, await daysBefore(table, owner, day));
    if (this.#established.size >= mostDays) this.#established.clear();
    this.#established.set(place, found);
    return found;
  }

  /** Forgets it, before it is taken from the others: whether that was done may never be known. */
  forgetUnnamed(key: Key, name: string): void {
    this.#unnamed.delete(`${nameOf(key)} ${name}`);
  }

  /** The names of an item as it is now, and no others. */
  learnItem(key: Key, item: Item | undefined): void {
    this.#items.delete(nameOf(key));
    this.learn(key, Object.keys(item ?? {}));
  }
}

const nameOf = ({ PK, SK }: Key) => `${PK} ${SK}`;
