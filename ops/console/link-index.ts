import type { LinkWithFigures } from '../../core/links/link-reads.ts';
import type { AllStores } from '../../core/stores.ts';
import type { TransferProgress } from './progress.ts';

interface Index {
  readonly links: Map<string, LinkWithFigures>;
  /** When reading began and when it may be read again. */
  readonly readAt: Date;
  readonly until: number;
}

const leastAgeMs = 30_000;

/** Hears how far a reading is, and what it has read so far. */
export type Watch = (progress: TransferProgress, links: readonly LinkWithFigures[]) => void;

/** A reading that is under way. */
interface Running {
  readonly index: Promise<Index>;
  readonly stopping: AbortController;
  readonly links: Map<string, LinkWithFigures>;
  progress?: TransferProgress;
  waiting: number;
}

/**
 * The links of projects in memory, for what the table can't do: search and order. A project is read as a whole when
 * it is first searched, and again after a while that grows with the time that reading takes.
 */
export class LinkIndexes {
  readonly #stores: Pick<AllStores, 'links'>;
  readonly #known = new Map<string, Index>();
  readonly #running = new Map<string, Running>();

  constructor(stores: Pick<AllStores, 'links'>) {
    this.#stores = stores;
  }

  /**
   * All links of a project, newest first, with the time that they were read. Rejects when the signal is aborted; a
   * reading that nobody waits for any more ends.
   */
  async of(
    project: string,
    watch: Watch,
    signal?: AbortSignal,
  ): Promise<{ links: readonly LinkWithFigures[]; readAt: Date }> {
    const known = this.#known.get(project);
    const index = known && Date.now() < known.until ? known : await this.#reading(project, watch, signal);
    return { links: [...index.links.values()], readAt: index.readAt };
  }

  /** Reads one link again, after the console changed it. */
  async refresh(project: string, code: string): Promise<void> {
    this.#overtake(project);
    const index = this.#known.get(project);
    if (!index) return;
    const found = await this.#stores.links.get(project, code).catch(() => undefined);
    if (!found) index.links.delete(code);
    else if (index.links.has(code)) index.links.set(code, found);
    // A new link comes first, and there are no gaps to put it in.
    else this.forget(project);
  }

  forget(project: string): void {
    this.#overtake(project);
    this.#known.delete(project);
  }

  /** A reading that is under way may lack a change: it answers those who wait for it, and nobody else. */
  #overtake(project: string): void {
    this.#running.delete(project);
  }

  /** Reads a project once, however many wait for it; each of them sees how far it is. */
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
    const links = new Map<string, LinkWithFigures>();
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
    // Those who wait for it see its failure, if any still do.
    index.catch(() => undefined);
    const running: Running = { index, stopping, links, waiting: 0 };
    this.#running.set(project, running);
    stopping.signal.addEventListener('abort', () => this.#end(project, running));
    return running;
  }

  /** False if the reading was overtaken. */
  #end(project: string, running: Running): boolean {
    return this.#running.get(project) === running && this.#running.delete(project);
  }
}

interface Reading {
  readonly links: Map<string, LinkWithFigures>;
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
