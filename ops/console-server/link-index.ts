import type { LinkWithAnalytics } from '../../core/links/link-reads.ts';
import type { AllStores } from '../../core/stores.ts';
import type { TransferProgress } from './progress.ts';

interface Index {
  readonly links: Map<string, LinkWithAnalytics>;
  /** The start of reading. */
  readonly readAt: Date;
  readonly until: number;
}

const leastAgeMs = 30_000;

/** Gets a reading's progress and the links read so far. */
export type Watch = (progress: TransferProgress, links: readonly LinkWithAnalytics[]) => void | Promise<void>;

/** A reading in progress. */
interface Running {
  readonly index: Promise<Index>;
  readonly stopping: AbortController;
  readonly links: Map<string, LinkWithAnalytics>;
  progress?: TransferProgress;
  waiting: number;
}

/**
 * Links of projects in memory, because the table can't search or sort. The first search reads the whole project, and a
 * later one reads it again after a time that grows with the duration of reading.
 */
export class LinkIndexes {
  readonly #stores: Pick<AllStores, 'links'>;
  readonly #known = new Map<string, Index>();
  readonly #running = new Map<string, Running>();

  constructor(stores: Pick<AllStores, 'links'>) {
    this.#stores = stores;
  }

  /**
   * All links of a project, newest first, with the time of reading. Rejects when the signal is aborted. The last
   * caller's abort ends the reading.
   */
  async of(
    project: string,
    watch: Watch,
    signal?: AbortSignal,
  ): Promise<{ links: readonly LinkWithAnalytics[]; readAt: Date }> {
    const known = this.#known.get(project);
    const index = known && Date.now() < known.until ? known : await this.#reading(project, watch, signal);
    return { links: [...index.links.values()], readAt: index.readAt };
  }

  /** Reads one link again after the console changed it. */
  async refresh(project: string, code: string): Promise<void> {
    this.#overtake(project);
    const index = this.#known.get(project);
    if (!index) return;
    const found = await this.#stores.links.get(project, code).catch(() => undefined);
    if (!found) index.links.delete(code);
    else if (index.links.has(code)) index.links.set(code, found);
    // A new link belongs first, but a map can only append.
    else this.forget(project);
  }

  forget(project: string): void {
    this.#overtake(project);
    this.#known.delete(project);
  }

  /** Detaches a reading in progress, which may lack a change; only its current callers get its result. */
  #overtake(project: string): void {
    this.#running.delete(project);
  }

  /** Concurrent callers share one reading and its progress. */
  async #reading(project: string, report: Watch, signal: AbortSignal | undefined): Promise<Index> {
    const running = this.#running.get(project) ?? this.#start(project);
    const watch = setInterval(() => {
      if (running.progress) report(running.progress, [...running.links.values()]);
    }, 200);
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(new Error('Nobody waits'));
    signal?.addEventListener('abort', leave);
    running.waiting += 1;
    try {
      return await Promise.race([running.index, left.promise]);
    } finally {
      clearInterval(watch);
      signal?.removeEventListener('abort', leave);
      running.waiting -= 1;
      if (running.waiting === 0) running.stopping.abort();
    }
  }

  #start(project: string): Running {
    const links = new Map<string, LinkWithAnalytics>();
    const stopping = new AbortController();
    const progress = (done: TransferProgress) => {
      running.progress = done;
    };
    const reading = readAll(this.#stores, project, { links, progress, signal: stopping.signal });
    const index = reading.then(
      (read) => {
        if (this.#end(project, running)) this.#known.set(project, read);
        return read;
      },
      (error: unknown) => {
        this.#end(project, running);
        throw error;
      },
    );
    // Callers see its failure; without callers it is ignored.
    index.catch(() => undefined);
    const running: Running = { index, stopping, links, waiting: 0 };
    this.#running.set(project, running);
    stopping.signal.addEventListener('abort', () => this.#end(project, running));
    return running;
  }

  /** False if a change detached the reading. */
  #end(project: string, running: Running): boolean {
    return this.#running.get(project) === running && this.#running.delete(project);
  }
}

interface Reading {
  readonly links: Map<string, LinkWithAnalytics>;
  readonly progress: (progress: TransferProgress) => void;
  readonly signal: AbortSignal;
}

const readAll = async (
  { links: store }: Pick<AllStores, 'links'>,
  project: string,
  { links, progress, signal }: Reading,
): Promise<Index> => {
  const readAt = new Date();
  const total = await store.count(project);
  for await (const portion of store.all(project)) {
    signal.throwIfAborted();
    for (const one of portion) links.set(one.link.code, one);
    progress({ done: links.size, of: Math.max(total, links.size) });
  }
  const tookMs = Date.now() - readAt.getTime();
  return { links, readAt, until: Date.now() + Math.max(leastAgeMs, 20 * tookMs) };
};
