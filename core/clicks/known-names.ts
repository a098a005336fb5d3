import type { Key } from '../table/keys.ts';
import type { Item } from '../table/table.ts';
import type { Amounts } from './amounts.ts';
import { nameLimits } from './figures.ts';

const most = 5000;

/**
 * Keeps items from growing with every name that visitors invent. The writes themselves return the names that
 * an item has; before the first one, a single batch may fill the item.
 */
export class KnownNames {
  readonly #items = new Map<string, Set<string>>();

  /** The same amounts, with names that have no room added up under the name for others. */
  limit(key: Key, amounts: Amounts): Amounts {
    const known = this.#items.get(nameOf(key));
    let limited = amounts;
    for (const { prefix, most, beyond } of nameLimits) {
      const own = [...(known ?? [])].filter((name) => name.startsWith(prefix));
      let room = most - own.length;
      const moved = new Map<string, number>();
      for (const [name, amount] of limited) {
        const isNew = name.startsWith(prefix) && !known?.has(name);
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
    this.#items.set(nameOf(key), known);
    const [oldest] = this.#items.keys();
    if (this.#items.size > most && oldest !== undefined) this.#items.delete(oldest);
  }

  /** The names of an item as it is now, and no others. */
  learnItem(key: Key, item: Item | undefined): void {
    this.#items.delete(nameOf(key));
    this.learn(key, Object.keys(item ?? {}));
  }
}

const nameOf = ({ PK, SK }: Key) => `${PK} ${SK}`;
