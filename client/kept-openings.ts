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
const most = 20;

/**
 * Keeps openings across processes until they are answered; deferred ones, which no later process may repeat, in memory
 * only. Memory is authoritative; storage follows it serially. Nothing rejects: without storage, openings last as long
 * as the process.
 */
export const keptOpenings = (storage: Storage) => {
  let openings: readonly KeptOpening[] = [];
  /** Whether the last change couldn't be stored. */
  let isBehind = false;

  // A first start has a key that was never written. If storage can't be read, this may be any start.
  let last: Promise<boolean> = read(storage).then((text) => {
    openings = listOf(text);
    return text === null;
  });

  const write = async (): Promise<boolean> => {
    try {
      await storage.setItem(key, JSON.stringify(openings.filter(({ first }) => !first)));
      isBehind = false;
      return true;
    } catch {
      return false;
    }
  };

  const change = (to: (openings: readonly KeptOpening[]) => readonly KeptOpening[]): Promise<boolean> => {
    last = last.then(async () => {
      openings = to(openings);
      isBehind = true;
      return write();
    });
    return last;
  };

  /** Resolves to whether this is an installation's first start, and stores that, so that no later one is. */
  const begun = last.then((isFirst) => isFirst && write());
  last = begun;

  return {
    begun,
    /** All openings. Repeats a write that failed. */
    all: async () => {
      await last;
      if (isBehind) await change((same) => same);
      return openings;
    },
    put: (one: KeptOpening) => change((before) => [...before, one].slice(-most)),
    remove: (one: KeptOpening) => change((before) => before.filter(({ openId }) => openId !== one.openId)),
  };
};

/** The stored text; undefined if storage can't be read. */
const read = async (storage: Storage): Promise<string | null | undefined> => {
  try {
    return (await storage.getItem(key)) ?? null;
  } catch {
    return undefined;
  }
};

const listOf = (text: string | null | undefined): readonly KeptOpening[] => {
  try {
    const found: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(found)
      ? found.filter((one) => typeof one?.shortUrl === 'string' && one.first !== true)
      : [];
  } catch {
    return [];
  }
};
