import type { Visit } from './visit.ts';

export type ExclusionReason = Extract<Visit, { kind: 'excluded' }>['reason'];

/** What is to be written of one link. */
export interface ExcludedCount {
  readonly project: string;
  readonly code: string;
  readonly reasons: Readonly<Partial<Record<ExclusionReason, number>>>;
}

interface Open {
  readonly project: string;
  readonly code: string;
  reasons: Partial<Record<ExclusionReason, number>>;
  /** When it was last handed out to be written. */
  writtenAt: number;
}

const pauseMs = 60_000;
const writesAtOnce = 4;

/**
 * Gathers the visits of one container that are no clicks, so that a link that machines visit all the time costs a
 * write a minute and not one for each. What a container has gathered since is lost when it ends.
 */
export class ExcludedVisits {
  /** By their last visit, the oldest first. */
  readonly #links = new Map<string, Open>();
  readonly #most: number;

  constructor(most = 5000) {
    this.#most = most;
  }

  /** Adds a visit, and hands out the counts whose time has come: that of a link's first visit at once. */
  add({ project, code }: { project: string; code: string }, reason: ExclusionReason, now: number) {
    const key = `${project}#${code}`;
    const open = this.#links.get(key) ?? { project, code, reasons: {}, writtenAt: Number.NEGATIVE_INFINITY };
    open.reasons[reason] = (open.reasons[reason] ?? 0) + 1;
    this.#links.delete(key);
    this.#links.set(key, open);
    return this.#due(open, now);
  }

  #due(visited: Open, now: number): ExcludedCount[] {
    const due = new Set(now - visited.writtenAt >= pauseMs ? [visited] : []);
    for (const [key, open] of this.#links) {
      const isCrowded = this.#links.size > this.#most;
      if (due.size === writesAtOnce || (now - open.writtenAt < pauseMs && !isCrowded)) break;
      if (Object.keys(open.reasons).length > 0) due.add(open);
      if (open !== visited) this.#links.delete(key);
    }
    return [...due].map((open) => takeFrom(open, now));
  }
}

const takeFrom = (open: Open, now: number): ExcludedCount => {
  const { project, code, reasons } = open;
  open.reasons = {};
  open.writtenAt = now;
  return { project, code, reasons };
};
