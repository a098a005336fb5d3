import { addressReader, fileAddress, type Hosts, referredUrl } from './addresses.ts';
import type { Linking } from './app.ts';
import { asker, type Fetch, type Opening, openingOf } from './openings.ts';
import { type KeptOpening, keptOpenings, type Storage } from './pending-opens.ts';
import { attempt } from './within.ts';

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

const day = 86_400_000;

/**
 * Receives links in a React Native app. Stores each opening (unless deferred), reports it to the service, and
 * removes it once the service has responded; `retry` reports the others again. An opening has one `openId` for all
 * reports, so it is counted once. Throws a TypeError for malformed hosts.
 */
export const createAppLinks = (settings: LinkSettings): LinkReceiver => {
  const { platform, linking } = settings;
  const createdAt = Date.now();
  const { parse } = addressReader(settings);
  const kept = keptOpenings(settings.storage);
  const ask = asker(settings);
  const { listen, deliver } = deliveries();
  /** Openings with running requests, which `retry` skips. */
  const asked = new Set<KeptOpening>();

  const send = async (one: KeptOpening): Promise<Opening> => {
    asked.add(one);
    const answer = await ask(addressFor(one, platform));
    if (answer !== undefined) await kept.remove(one);
    asked.delete(one);
    return openingOf(answer, platform, one);
  };

  /** Takes an address through all states. Resolves to null for a foreign address; deferred ones are short URLs. */
  const receive = async (address: unknown, first = false): Promise<Opening | null> => {
    const opened = parse(address);
    if (!opened) return null;
    if ('link' in opened) return first ? null : openingOf(opened, platform);
    const one = { ...opened, openId: randomId(), at: Date.now(), first };
    await kept.put(one);
    return send(one);
  };

  const coldAddress = attempt(() => linking.getInitialURL());

  const start = async (): Promise<Opening | null> => {
    const address = await coldAddress;
    if (parse(address) || !(await kept.begun)) return receive(address);
    const text = await attempt(async () =>
      platform === 'android' ? referredUrl(await settings.referrer?.()) : settings.clipboard?.(),
    );
    return receive(text, true);
  };
  const started = start();

  /** The last delivery: each waits for the one before, to keep the order of events. */
  let last: Promise<unknown> = Promise.resolve();
  linking.addEventListener('url', ({ url }) => {
    // At first, systems may repeat the start's link as an event.
    const isEarly = Date.now() - createdAt < 2000;
    const received = isEarly
      ? coldAddress.then((cold) => (url === cold ? null : receive(url)))
      : receive(url);
    last = last.then(async () => deliver(await received));
  });

  const sendKept = async (): Promise<number> => {
    const waiting = (await kept.all()).filter((one) => !asked.has(one));
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
  const handlers = new Set<(opening: Opening) => void>();
  const waiting: Opening[] = [];

  const flush = () => {
    for (const opening of handlers.size ? waiting.splice(0) : []) {
      // If a handler throws, the others still run; its error is an unhandled rejection.
      for (const handle of [...handlers]) (async () => handle(opening))();
    }
  };

  return {
    deliver: (opening: Opening | null): void => {
      if (opening) waiting.push(opening);
      flush();
    },
    listen: (handle: (opening: Opening) => void) => {
      const handler = (opening: Opening) => handle(opening);
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
  return fileAddress(
    shortUrl,
    'open.json',
    `platform=${platform}&openId=${openId}${first ? '&first=true' : ''}`,
  );
};

/** A unique id. It includes the time, because JavaScript engines may have few seeds and phones would draw the same. */
const randomId = (): string => [Date.now(), Math.random(), Math.random()].join('-').replaceAll('.', '');
