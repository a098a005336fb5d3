import type { createAppLinks, LinkReceiver, LinkSettings, Opening } from '../../client/app-links.ts';

/* A phone with an app, and the service, where each call that leaves the app waits until the schedule lets it end. */

export const day = 24 * 60 * 60 * 1000;
export const deferredUrl = 'https://go.example.com/deferred';

/** How a call ends: `lost` reached the service, but its answer didn't come back. */
export type Outcome = 'works' | 'fails' | 'lost' | 'busy' | 'hangs';

interface Call {
  readonly kind: 'fetch' | 'storage' | 'start' | 'referrer';
  readonly end: (outcome: Outcome) => void;
}

/** One process of the app. Its work never ends after a crash. */
interface AppProcess {
  readonly links: LinkReceiver;
  readonly coldUrl: string | null;
  /** The address of its start, and those of later events, without repeats of the start. */
  readonly opened: string[];
  /** Openings delivered by its start and to listeners. */
  readonly delivered: Opening[];
  /** Short URLs that earlier processes left in storage. */
  readonly kept: readonly string[];
  readonly isFirstStart: boolean;
  initial?: Opening | null;
}

/** An opening that was in storage once. */
interface Stored {
  readonly shortUrl: string;
  readonly at: number;
}

interface Count {
  readonly shortUrl: string;
  readonly openId: string;
  readonly at: number;
  readonly isFirst: boolean;
}

const readAddress = (address: string) => {
  const url = new URL(address.replace(/\/(open|link)\.json/, ''));
  const openId = url.searchParams.get('openId') ?? '';
  const isFirst = url.searchParams.get('first') === 'true';
  for (const name of ['platform', 'openId', 'first']) url.searchParams.delete(name);
  return { url, openId, isFirst };
};

export class World {
  readonly processes: AppProcess[] = [];
  readonly failures: string[] = [];
  readonly counts: Count[] = [];
  readonly everStored = new Map<string, Stored>();
  isStorageSound = true;
  hasReferrerFailed = false;
  readonly #create: typeof createAppLinks;
  readonly #platform: 'ios' | 'android';
  #text: string | null = null;
  #calls: Call[] = [];
  #emit: (event: { url: string }) => void = () => undefined;
  readonly #listening = new Map<Set<Opening>, () => void>();

  constructor(create: typeof createAppLinks, platform: 'ios' | 'android') {
    this.#create = create;
    this.#platform = platform;
  }

  get app(): AppProcess {
    return this.processes.at(-1) as AppProcess;
  }

  /** The process dies where it waits, and the app is started again, by a link or not. */
  start(coldUrl: string | null): void {
    this.#calls = [];
    this.#listening.clear();
    const left: Stored[] = JSON.parse(this.#text ?? '[]');
    const process: AppProcess = {
      coldUrl,
      opened: coldUrl === null ? [] : [coldUrl],
      delivered: [],
      kept: left.map(({ shortUrl }) => shortUrl),
      isFirstStart: this.#text === null,
      links: this.#create(this.#settings(coldUrl)),
    };
    this.processes.push(process);
    process.links.initial().then((opening) => {
      if (process !== this.app) return;
      process.initial = opening;
      if (opening) process.delivered.push(opening);
    });
    const startedAt = Date.now();
    const emit = this.#emit;
    this.#emit = ({ url }) => {
      if (url !== coldUrl || Date.now() - startedAt >= 2000) process.opened.push(url);
      emit({ url });
    };
  }

  #settings(coldUrl: string | null): LinkSettings {
    const referrer = `utm_source=a&deepLink=${encodeURIComponent(deferredUrl)}`;
    return {
      hosts: ['go.example.com'],
      linkHosts: ['shop.example.com'],
      platform: this.#platform,
      linking: {
        getInitialURL: () => this.#call('start', () => coldUrl),
        addEventListener: (_, emit) => {
          this.#emit = emit;
          return undefined;
        },
      },
      storage: {
        getItem: () => this.#call('storage', () => this.#text),
        setItem: (_, text) => this.#call('storage', () => this.#store(text)),
      },
      ...(this.#platform === 'ios'
        ? { clipboard: () => this.#deferred(deferredUrl) }
        : { referrer: () => this.#deferred(referrer) }),
      fetch: (address) => {
        const { openId, isFirst } = readAddress(address);
        if (openId && !isFirst && this.isStorageSound && !this.everStored.has(openId))
          this.failures.push('It was asked before it was stored');
        return this.#call('fetch', () => this.#serve(address));
      },
    };
  }

  #deferred(text: string): Promise<string> {
    if (this.#text === null) this.failures.push('It was looked for before that was stored');
    return this.#call('referrer', () => text);
  }

  #store(text: string): void {
    this.#text = text;
    if (text.includes(deferredUrl)) this.failures.push('The deferred link was stored');
    for (const { openId, shortUrl, at } of JSON.parse(text)) this.everStored.set(openId, { shortUrl, at });
  }

  emit(url: string): void {
    this.#emit({ url });
  }

  /** All listeners at a time receive the same openings. */
  listen(): void {
    const { app } = this;
    const received = new Set<Opening>();
    const stop = app.links.listen((opening) => {
      // A dead process still has its timers here.
      if (app !== this.app) return;
      if (!this.#listening.has(received)) throw new Error('Who stopped still receives');
      if (received.has(opening)) this.failures.push('Somebody received it twice');
      received.add(opening);
      if (app.delivered.includes(opening)) return;
      app.delivered.push(opening);
      const all = [...this.#listening.keys()];
      queueMicrotask(() => {
        if (!all.every((one) => one.has(opening))) this.failures.push('Not everybody received it');
      });
    });
    this.#listening.set(received, stop);
  }

  stopListening(): void {
    const [[received, stop] = []] = this.#listening;
    if (!received || !stop) return;
    this.#listening.delete(received);
    stop();
  }

  get isListening(): boolean {
    return this.#listening.size > 0;
  }

  /** Ends the call at a place of the list. Storage fails only where the schedule sets it. */
  end(place: number, outcome: Outcome, canStorageFail: boolean): boolean {
    const [call] = this.#calls.splice(place % Math.max(this.#calls.length, 1), 1);
    if (!call) return false;
    if (call.kind === 'storage' && canStorageFail && outcome !== 'works') this.isStorageSound = false;
    if (call.kind === 'referrer' && outcome !== 'works') this.hasReferrerFailed = true;
    const alwaysWorks = call.kind === 'start' || (call.kind === 'storage' && !canStorageFail);
    call.end(alwaysWorks ? 'works' : outcome);
    return true;
  }

  #call<Result>(kind: Call['kind'], act: () => Result): Promise<Result> {
    const begunAt = Date.now();
    return new Promise((resolve, reject) => {
      const end = (outcome: Outcome) => {
        // No network delivers a request the next day.
        if (kind === 'fetch' && (outcome === 'hangs' || Date.now() - begunAt >= day)) return;
        if (kind === 'fetch' && outcome === 'busy') return resolve({ status: 503 } as Result);
        if (outcome === 'fails' || outcome === 'busy') return reject(new Error('failed'));
        const result = act();
        if (outcome === 'lost') return reject(new Error('lost'));
        resolve(result);
      };
      this.#calls.push({ kind, end });
    });
  }

  /** The service, as a table: an id counts once within seven days. */
  #serve(address: string) {
    const { url, openId, isFirst } = readAddress(address);
    if (url.pathname === '/dead') return { status: 404, json: async () => ({}) };
    const at = Date.now();
    const isKnown = this.counts.some((one) => one.openId === openId && at - one.at < 7 * day);
    if (address.includes('/open.json') && !isKnown)
      this.counts.push({ shortUrl: url.href, openId, at, isFirst });
    const link = `https://shop.example.com${url.pathname}`;
    return { status: 200, json: async () => ({ link, campaign: null }) };
  }
}
