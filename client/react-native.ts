import { useCallback, useSyncExternalStore } from 'react';
import type { LinkReceiver, Opening } from './app-links.ts';

export {
  createAppLinks,
  type LinkReceiver,
  type LinkSettings,
  type Opening,
} from './app-links.ts';

/** The latest opening that the app hasn't cleared, shared by all components. */
const latestOf = (links: LinkReceiver) => {
  let latest: Opening | null = null;
  let isLater = false;
  const subscribers = new Set<() => void>();
  const set = (opening: Opening | null) => {
    latest = opening;
    for (const notify of [...subscribers]) notify();
  };
  links.listen((opening) => {
    isLater = true;
    set(opening);
  });
  links.initial().then((opening) => opening && !isLater && set(opening));
  return {
    get: () => latest,
    set,
    subscribe: (notify: () => void) => {
      subscribers.add(notify);
      return () => void subscribers.delete(notify);
    },
  };
};

const stores = new WeakMap<LinkReceiver, ReturnType<typeof latestOf>>();

const storeOf = (links: LinkReceiver) => {
  const store = stores.get(links) ?? latestOf(links);
  stores.set(links, store);
  return store;
};

/**
 * The latest link that opened the app, and a function that clears it. The link is kept until then, also while no
 * component with this hook is mounted.
 */
export const useAppLink = (links: LinkReceiver): readonly [opening: Opening | null, clear: () => void] => {
  const { get, set, subscribe } = storeOf(links);
  const opening = useSyncExternalStore(subscribe, get, get);
  return [opening, useCallback(() => set(null), [set])];
};
