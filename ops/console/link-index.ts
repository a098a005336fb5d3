import { type LinkStatus, statusAt } from '../../core/links/link.ts';
import type { LinkWithFigures } from '../../core/links/link-reads.ts';
import { shownAddress, withoutDirections } from '../../core/shown-text.ts';
import type { AllStores } from '../../core/stores.ts';
import type { Progress } from './progress.ts';

/** A link as lists show it. */
export interface ListedLink {
  readonly code: string;
  readonly name: string;
  readonly destination: string;
  readonly status: LinkStatus;
  readonly blocked: boolean;
  readonly createdAt: string;
  readonly expiresAt: string | undefined;
  readonly clicks: number;
  readonly uniques: number;
}

export const listed = ({ link, figures }: LinkWithFigures, now: Date): ListedLink => ({
  code: link.code,
  name: withoutDirections(link.name ?? ''),
  destination: shownAddress(link.payload.link),
  status: statusAt(link, now),
  blocked: link.blockedAt !== undefined,
  createdAt: link.createdAt,
  expiresAt: link.expiresAt,
  clicks: figures.clicks,
  uniques: figures.uniques,
});

interface Index {
  readonly links: Map<string, LinkWithFigures>;
  /** When reading began and when it may be read again. */
  readonly readAt: Date;
  readonly until: number;
}

const leastAgeMs = 30_000;

type Reading = (project: string, progress: (progress: Progress) => void) => Promise<Index>;

/**
 * The links of projects in memory, for what the table can't do: search and order. A project is read as a whole when
 * it is first searched, and again after a while that grows with the time that reading takes.
 */
export class LinkIndexes {
  readonly #stores: Pick<AllStores, 'links'>;
  readonly #known = new Map<string, Index>();
  readonly #running = new Map<string, Promise<Index>>();
  readonly #progress = new Map<string, Progress>();

  constructor(stores: Pick<AllStores, 'links'>) {
    this.#stores = stores;
  }

  /** All links of a project, newest first, with the time that they were read. */
  async of(
    project: string,
    progress: (progress: Progress) => void,
  ): Promise<{ links: readonly LinkWithFigures[]; readAt: Date }> {
    const known = this.#known.get(project);
    const index = known && Date.now() < known.until ? known : await this.#reading(project, progress);
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
  async #reading(project: string, report: (progress: Progress) => void): Promise<Index> {
    const running = this.#running.get(project) ?? this.#start(project);
    const watch = setInterval(() => {
      const progress = this.#progress.get(project);
      if (progress) report(progress);
    }, 200);
    return running.finally(() => clearInterval(watch));
  }

  #start(project: string): Promise<Index> {
    const read: Reading = (one, progress) => readAll(this.#stores, one, progress);
    const running = read(project, (progress) => this.#progress.set(project, progress)).then(
      (index) => {
        if (this.#end(project, running)) this.#known.set(project, index);
        return index;
      },
      (error: unknown) => {
        this.#end(project, running);
        throw error;
      },
    );
    this.#running.set(project, running);
    return running;
  }

  /** False if the reading was overtaken. */
  #end(project: string, running: Promise<Index>): boolean {
    if (this.#running.get(project) !== running) return false;
    this.#running.delete(project);
    this.#progress.delete(project);
    return true;
  }
}

const readAll = async (
  { links: store }: Pick<AllStores, 'links'>,
  project: string,
  progress: (progress: Progress) => void,
): Promise<Index> => {
  const readAt = new Date();
  const links = new Map<string, LinkWithFigures>();
  const total = await store.count(project);
  for await (const portion of store.all(project)) {
    for (const one of portion) links.set(one.link.code, one);
    progress({ done: links.size, of: Math.max(total, links.size) });
  }
  const tookMs = Date.now() - readAt.getTime();
  return { links, readAt, until: Date.now() + Math.max(leastAgeMs, 20 * tookMs) };
};
