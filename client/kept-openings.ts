/** `AsyncStorage`, or another store that outlives the process. */
export interface Storage {
  getItem(key: string): Promise<string | null | undefined>;
  setItem(key: string, value: string): Promise<unknown>;
}

/** An opening that the service hasn't answered yet. */
export interface KeptOpening {
  /** The service counts an id once, however often it is sent. */
  readonly openId: string;
  readonly shortUrl: string;
  /** When the app was opened, in milliseconds by the device's clock. */
  readonly at: number;
  readonly first: boolean;
}

const key = 'dynamic-link-client';
const most = 20;

/**
 * Openings that outlive the process until they are answered. Memory is what counts here; storage follows it, one write after
 * the other. Nothing rejects: without storage, openings live as long as the process.
 */
export const keptOpenings = (storage: Storage) => {
  let openings: readonly KeptOpening[] = [];

  // Only a key that was never written makes a first start. If storage can't be read, this may be any start.
  let last: Promise<boolean> = read(storage).then((text) => {
    openings = listOf(text);
    return text === null;
  });

  /** Resolves to whether the change is stored. */
  const change = (to: (openings: readonly KeptOpening[]) => readonly KeptOpening[]): Promise<boolean> => {
    last = last.then(async () => {
      openings = to(openings);
      try {
        await storage.setItem(key, JSON.stringify(openings));
        return true;
      } catch {
        return false;
      }
    });
    return last;
  };

  /** Resolves to whether this is an installation's first start, and that is noted: no other start will be one. */
  const begun = last.then((isFirst) => isFirst && change((same) => same));

  return {
    begun,
    all: async () => {
      await last;
      return openings;
    },
    put: (one: KeptOpening) => change((before) => [...before, one].slice(-most)),
    remove: (one: KeptOpening) => change((before) => before.filter(({ openId }) => openId !== one.openId)),
  };
};

/** Undefined if storage can't be read. */
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
    return Array.isArray(found) ? found.filter((one) => typeof one?.shortUrl === 'string') : [];
  } catch {
    return [];
  }
};
