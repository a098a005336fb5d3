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
  /** The clipboard's text on iOS, which asks the person. */
  readonly clipboard?: (() => Promise<string | null | undefined>) | undefined;
  readonly fetch?: Fetch | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface LinkReceiver {
  /** What started the app: a link, else at the first start the deferred link, else null. Never rejects. */
  initial(): Promise<Opening | null>;
  /** Receives each later opening. Returns a function that ends this. */
  listen(handler: (opening: Opening) => void): () => void;
  /** Sends what the service hasn't answered, delivers what it answers now, and resolves to the number left. */
  retry(): Promise<number>;
}

/** Systems may report the start's link once more, as an event. */
const coldStartMs = 2000;
const day = 24 * 60 * 60 * 1000;

/**
 * Receives links in a React Native app. Each opening goes through these states: received, stored, asked; then answered and
 * taken out of storage, or left there for `retry`. It is counted once, because it keeps its `openId` through all of them.
 */
export const createAppLinks = (settings: LinkSettings): LinkReceiver => {
  const { platform, linking, storage } = settings;
  const createdAt = Date.now();
  const parse = addressReader(settings);
  const kept = keptOpenings(storage);
  const ask = asker(settings);
  const { listen, deliver } = deliveries();
  /** What is being asked now, which `retry` leaves to whoever asked. */
  const asked = new Set<string>();

  const send = async (one: KeptOpening): Promise<Opening> => {
    asked.add(one.openId);
    const answer = await ask(addressFor(one, platform));
    if (answer !== undefined) await kept.remove(one);
    asked.delete(one.openId);
    return openingOf(one, answer, platform);
  };

  /** Takes an address through all states. Null for one that isn't ours. */
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

  /** Deliveries keep the order of events. */
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

/** Hands openings to those who listen; while nobody does, they wait. */
const deliveries = () => {
  const handlers = new Set<{ readonly handle: (opening: Opening) => void }>();
  let waiting: readonly Opening[] = [];

  const flush = () => {
    if (handlers.size === 0) return;
    const due = waiting;
    waiting = [];
    for (const opening of due) {
      // A handler that throws keeps nothing from the others; its error is an unhandled rejection.
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
      // Not before this function has returned: who stops at once, as React does to try an effect, gets nothing.
      Promise.resolve().then(flush);
      return () => void handlers.delete(handler);
    },
  };
};

const addressFor = ({ shortUrl, openId, at, first }: KeptOpening, platform: string): string => {
  const age = Date.now() - at;
  // The service knows ids for seven days; the seventh is for clocks that were set back meanwhile.
  if (age <= -day || age >= 6 * day) return fileAddress(shortUrl, 'link.json');
  const parameters = [`platform=${platform}`, `openId=${openId}`, ...(first ? ['first=true'] : [])];
  return fileAddress(shortUrl, 'open.json', parameters);
};

/** Random generators of JavaScript engines may have few seeds, so phones would draw the same: the time sets them apart. */
const randomId = (): string => `${Date.now().toString(36)}-${random()}${random()}`;
const random = (): string => Math.random().toString(36).slice(2).padEnd(11, '0');
