import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { keptSeconds, lastSecondOf } from './record-time.ts';

/** A REMOVE in the stream, or an item about to be removed: what both have, by which they are matched. */
export interface Removal {
  readonly table: string;
  readonly keys: Readonly<Record<string, unknown>>;
  /** The TTL attribute of the item's last image, in epoch seconds. */
  readonly ttl: string;
}

/**
 * Records which deletions were TTL's. A deletion is recorded before it happens, because the stream may
 * deliver it immediately or only after a restart.
 */
export interface ServiceDeletes {
  /** Calls `remove`, which resolves to whether the removal took place, for each. Resolves to how many did. */
  make(removals: readonly Removal[], remove: (removal: Removal) => Promise<boolean>): Promise<number>;
  /** Whether the service made this removal; `second` is when the stream dates it. */
  includes(removal: Removal, second: number): Promise<boolean>;
}

interface Entry {
  readonly key: string;
  readonly from: number;
  /** Undefined while it is being made. */
  until?: number;
  settled?: Promise<unknown>;
}

/** How long a deletion is remembered: an hour longer than its record is kept. */
const rememberedSeconds = keptSeconds + 60 * 60;

/** The deletions are remembered in the file, if there is one, else in memory. */
export function openServiceDeletes(file?: string): ServiceDeletes {
  const entries = new Map<string, Entry[]>();
  const add = (entry: Entry) => entries.set(entry.key, [...(entries.get(entry.key) ?? []), entry]);
  for (const entry of file ? restore(file) : []) add(entry);
  let oldest = nowSeconds();

  const append = (made: readonly Entry[]) => {
    if (file) appendFileSync(file, made.map((entry) => `${line(entry)}\n`).join(''));
  };
  const settle = async (entry: Entry, removed: Promise<boolean>) => {
    const took = await removed.catch(() => undefined);
    // Without a response it may have been made, so it is remembered as made.
    entry.until = took === false ? entry.from - 1 : nowSeconds();
    return took === true;
  };
  const forget = () => {
    const horizon = nowSeconds() - rememberedSeconds;
    if (oldest > horizon) return;
    oldest = nowSeconds();
    for (const [key, list] of entries) {
      const kept = list.filter(({ until }) => until === undefined || until > horizon);
      if (kept.length > 0) entries.set(key, kept);
      else entries.delete(key);
    }
  };

  return {
    make: async (removals, remove) => {
      forget();
      const from = nowSeconds();
      const made = removals.map((removal): Entry => ({ key: keyOf(removal), from }));
      append(made);
      for (const entry of made) add(entry);
      const settled = made.map((entry, index) => {
        const removal = removals[index];
        const answer = settle(entry, removal ? remove(removal) : Promise.resolve(false));
        entry.settled = answer;
        return answer;
      });
      const took = await Promise.all(settled);
      append(made);
      return took.filter(Boolean).length;
    },
    includes: async (removal, second) => {
      for (const entry of entries.get(keyOf(removal)) ?? []) {
        await entry.settled;
        if (lastSecondOf(second) >= entry.from && second <= (entry.until ?? entry.from)) return true;
      }
      return false;
    },
  };
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

function keyOf({ table, keys, ttl }: Removal): string {
  return JSON.stringify([table, Object.entries(keys).sort(([one], [other]) => (one < other ? -1 : 1)), ttl]);
}

const line = ({ key, from, until }: Entry) => JSON.stringify({ key, from, until });

/**
 * The last line of a removal counts; one that never settled was cut short by the end of the process. Old is what was old
 * when the last one was made: nobody reads the stream while the stack is off.
 */
function restore(file: string): Entry[] {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const entries = new Map<string, Entry>();
  let newest = 0;
  for (const text of readLines(file)) {
    try {
      const { key, from, until } = JSON.parse(text);
      const entry = { key: String(key), from: Number(from), until: Number(until ?? nowSeconds()) };
      newest = Math.max(newest, entry.from);
      entries.set(`${entry.from} ${entry.key}`, entry);
    } catch {
      // A line cut short: its removal was never begun.
    }
  }
  const kept = [...entries.values()].filter(({ from }) => from > newest - rememberedSeconds);
  writeFileSync(`${file}.new`, kept.map((entry) => `${line(entry)}\n`).join(''));
  renameSync(`${file}.new`, file);
  return kept;
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
