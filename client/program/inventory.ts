import type { DynamicLinks } from '../dynamic-links.ts';
import { DynamicLinksError } from '../failures.ts';
import { ownerTag, type WantedLinks } from './link-file.ts';
import type { Found, Inventory, Present } from './plan.ts';

const concurrentCalls = 8;

/** Receives the progress. */
export type OnLookup = (done: number, all: number) => void;

/** Fetches the service's links for the codes and owners of the files. */
export const takeInventory = async (
  client: DynamicLinks,
  { owners, links }: WantedLinks,
  onProgress: OnLookup,
): Promise<Inventory> => {
  const found = new Map<string, Found>();
  const owned = new Map<string, Present>();
  const all = links.size;
  for (const owner of owners) {
    for await (const link of client.links.list({ tag: ownerTag(owner) })) {
      owned.set(link.code, link);
      if (!links.has(link.code)) continue;
      found.set(link.code, link);
      onProgress(found.size, all);
    }
  }
  const others = [...links.keys()].filter((code) => !found.has(code));
  await forEach(others, async (code) => {
    found.set(code, await lookAt(client, code));
    onProgress(found.size, all);
  });
  return { found, owned: [...owned.values()] };
};

/** The service's link of a code, `free` or `taken`. */
export const lookAt = async (client: DynamicLinks, code: string): Promise<Found> => {
  if (await client.links.isAvailable(code)) return 'free';
  try {
    return await client.links.get(code);
  } catch (error) {
    if (error instanceof DynamicLinksError && error.code === 'LINK_NOT_FOUND') return 'taken';
    throw error;
  }
};

/** Runs a job for each item, several at once. The first failure stops it. */
export const forEach = async <Item>(
  items: Iterable<Item>,
  job: (item: Item) => Promise<void>,
): Promise<void> => {
  const rest = items[Symbol.iterator]();
  const work = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await job(next.value);
  };
  await Promise.all(Array.from({ length: concurrentCalls }, work));
};
