import { attempt } from './within.ts';

/** `AsyncStorage`, or another store that outlives the process. */
export interface Storage {
  getItem(key: string): Promise<string | null | undefined>;
  setItem(key: string, value: string): Promise<unknown>;
}

/** An opening that the service hasn't answered yet. */
export interface KeptOpening {
  /** Id of the opening, which the service counts once. */
  readonly openId: string;
  readonly shortUrl: string;
  /** Time of the opening in epoch milliseconds, by the device's clock. */
  readonly at: number;
  readonly first: boolean;
}

const key = 'dynamic-link-client';

/**
 * Keeps openings across processes until they are answered; deferred ones, which no later process may repeat, in memory
 * only. Memory is authoritative; storage follows it serially. Nothing rejects: without storage, openings last as long
 * as the process.
 */
export const keptOpenings = (storage: Storage) => {
  let openings: readonly KeptOpening[] = [];
  /** Whether the last change couldn't be stored. */
  let isBehind = false;

  /**
   * Whether this is a first start: then the key was never written. If storage can't be read, this may be any start.
   * Later, whether the last change could be stored.
   */
  let last: Promise<boolean | undefined> = attempt(async () => {
    const text = await storage.getItem(key);
    if (text === null || text === undefined) return true;
    const found: KeptOpening[] = JSON.parse(text);
    openings = found.filter(({ shortUrl, first }) => shortUrl && !first);
    return false;
  });

  const write = () =>
    attempt(async () => {
      await storage.setItem(key, JSON.stringify(openings.filter(({ first }) => !first)));
      isBehind = false;
      return true;
    });

  const change = (to: (openings: readonly KeptOpening[]) => readonly KeptOpening[]) => {
    last = last.then(() => {
      openings = to(openings);
      isBehind = true;
      return write();
    });
    return last;
  };

  last = last.then((isFirst) => isFirst && write());

  return {
    /** Resolves to whether this is an installation's first start, and stores that, so that no later one is. */
    begun: last,
    /** All openings. Repeats a write that failed. */
    all: async () => {
      await last;
      if (isBehind) await change((same) => same);
      return openings;
    },
    put: (one: KeptOpening) => change((before) => [...before, one].slice(-20)),
    remove: (one: KeptOpening) => change((before) => before.filter((other) => other !== one)),
  };
};
