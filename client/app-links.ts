import { addressReader, fileAddress, type Hosts, referredUrl } from './addresses.ts';
import type { Linking } from './app.ts';
import { type KeptOpening, keptOpenings, type Storage } from './kept-openings.ts';
import { asker, attempt, type Fetch, type Opening, openingOf, unknown } from './openings.ts';

export type { Opening };

export interface LinkSettings extends Hosts {
  readonly platform: 'ios' | 'android';
  /** React Native's `Linking`. */
  readonly linking: Linking;
  /** `AsyncStorage`, or another store that outlives the process. */
  readonly storage: Storage;
  /** Google Play's install referrer. */
  readonly referrer?: (() => Promise<string | null | undefined>) | undefined;
  /** The clipboard's text on iOS, which asks the user for permission. */
  readonly clipboard?: (() => Promise<string | null | undefined>) | undefined;
  readonly fetch?: Fetch | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface LinkReceiver {
  /** The link that started the app; at the first start, the deferred link; else null. Never rejects. */
  initial(): Promise<Opening | null>;
  /** Receives each later opening. Returns a function that stops it. */
  listen(handler: (opening: Opening) => void): () => void;
  /** Sends unanswered openings again, delivers resolved ones, and resolves to the number left. Repeats failed writes. */
  retry(): Promise<number>;
}

/** Time in which systems may repeat the start's link as an event. */
const coldStartMs = 2000;
const day = 24 * 60 * 60 * 1000;

/**
 * Receives links in a React Native app. Each opening is received, stored (unless deferred) and asked; then answered
 * and taken out of storage, or left there for `retry`. It keeps its `openId` through all these states, so it is counted
 * once. Throws a TypeError for malformed hosts.
 */
export const createAppLinks = (settings: LinkSettings): LinkReceiver => {
  const { platform, linking, storage } = settings;
  const createdAt = Date.now();
  const { parse } = addressReader(settings);
  const kept = keptOpenings(storage);
  const ask = asker(settings);
  const { listen, deliver } = deliveries();
  /** Ids of running requests, which `retry` skips. */
  const asked = new Set<string>();

  const send = async (one: KeptOpening): Promise<Opening> => {
    asked.add(one.openId);
    const answer = await ask(addressFor(one, platform));
    if (answer !== undefined) await kept.remove(one);
    asked.delete(one.openId);
    return openingOf(one, answer, platform);
  };

  /** Takes an address through all states. Resolves to null for a foreign address. */
  const receive = async (address: string, first = false): Promise<Opening | null> => {
    const opened = parse(address);
    if (!opened) return null;
    if ('link' in opened) return { ...unknown, link: opened.link, resolved: true };
    const one = { openId: randomId(), shortUrl: opened.shortUrl, at: Date.now(), first };
    await kept.put(one);
    return send(one);
  };

  const coldAddress = attempt(() => linking.getInitialURL());

  const start = async (): Promise<Opening | null> => {
    const [address, isFirst] = await Promise.all([coldAddress, kept.begun]);
    if (parse(address ?? '') || !isFirst) return receive(address ?? '');
    const text = await attempt(async () =>
      platform === 'android' ? referredUrl((await settings.referrer?.()) ?? '') : settings.clipboard?.(),
    );
    const found = parse(text ?? '');
    return found && 'shortUrl' in found ? receive(found.shortUrl, true) : null;
  };
  const started = start();

  /** The last delivery: each waits for the one before, to keep the order of events. */
  let last: Promise<unknown> = Promise.resolve();
  linking.addEventListener('url', ({ url }) => {
    const isEarly = Date.now() - createdAt < coldStartMs;
    const received = isEarly
      ? coldAddress.then((cold) => (url === cold ? null : receive(url)))
      : receive(url);
    last = last.then(async () => deliver(await received));
  });

  const sendKept = async (): Promise<number> => {
    const waiting = (await kept.all()).filter(({ openId }) => !asked.has(openId));
    for (const sent of waiting.map(send)) {
      const opening = await sent;
      if (opening.resolved) deliver(opening);
    }
    return (await kept.all()).length;
  };
  let retrying: Promise<number> | undefined;

  return {
    initial: () => started,
    listen,
    retry: () => {
      retrying ??= sendKept().finally(() => {
        retrying = undefined;
      });
      return retrying;
    },
  };
};

/** Delivers openings to listeners, and queues them while there are none. */
const deliveries = () => {
  const handlers = new Set<{ readonly handle: (opening: Opening) => void }>();
  let waiting: readonly Opening[] = [];

  const flush = () => {
    if (handlers.size === 0) return;
    const due = waiting;
    waiting = [];
    for (const opening of due) {
      // If a handler throws, the others still run; its error is an unhandled rejection.
      for (const { handle } of [...handlers]) new Promise<unknown>((done) => done(handle(opening)));
    }
  };

  return {
    deliver: (opening: Opening | null): void => {
      if (opening) waiting = [...waiting, opening];
      flush();
    },
    listen: (handle: (opening: Opening) => void) => {
      const handler = { handle };
      handlers.add(handler);
      // After this function returns, so that a listener that stops at once, as in React's strict mode, gets nothing.
      Promise.resolve().then(flush);
      return () => void handlers.delete(handler);
    },
  };
};

const addressFor = ({ shortUrl, openId, at, first }: KeptOpening, platform: string): string => {
  const age = Date.now() - at;
  // The service keeps ids for seven days; the seventh allows for clocks set back meanwhile.
  if (age <= -day || age >= 6 * day) return fileAddress(shortUrl, 'link.json');
  const parameters = [`platform=${platform}`, `openId=${openId}`, ...(first ? ['first=true'] : [])];
  return fileAddress(shortUrl, 'open.json', parameters);
};

/** A unique id. It includes the time, because JavaScript engines may have few seeds and phones would draw the same. */
const randomId = (): string => `${Date.now().toString(36)}-${random()}${random()}`;
const random = (): string => Math.random().toString(36).slice(2).padEnd(11, '0');
