import type { Visit } from './visit.ts';

export type ExclusionReason = Extract<Visit, { kind: 'excluded' }>['reason'];

/** The pending visits of one link. */
export interface ExcludedCount {
  readonly project: string;
  readonly code: string;
  readonly reasons: Readonly<Partial<Record<ExclusionReason, number>>>;
}

interface Open {
  readonly project: string;
  readonly code: string;
  reasons: Partial<Record<ExclusionReason, number>>;
  /** When the minute began in which its writes are counted. */
  since: number;
  /** How often it was written in that minute. */
  writes: number;
}

const minuteMs = 60_000;
const writesAtOnce = 4;

/**
 * Counts one container's visits that aren't clicks. The first ones of a minute are written at once, so that
 * figures show them; a link that bots visit all the time costs a bounded number of writes a minute. A
 * container that ends loses what it has collected since its last write.
 */
export class ExcludedVisits {
  /** By their last visit, the oldest first. */
  readonly #links = new Map<string, Open>();
  readonly #most: number;
  readonly #writesAMinute: number;

  /** Remembers `most` links. Visits of a link beyond its writes of a minute wait for the next one. */
  constructor({ most = 5000, writesAMinute = 600 } = {}) {
    this.#most = most;
    this.#writesAMinute = writesAMinute;
  }

  /** Adds a visit, and returns the counts to write now. */
  add({ project, code }: { project: string; code: string }, reason: ExclusionReason, now: number) {
    const key = `${project}#${code}`;
    const open = this.#links.get(key) ?? { project, code, reasons: {}, since: now, writes: 0 };
    open.reasons[reason] = (open.reasons[reason] ?? 0) + 1;
    this.#links.delete(key);
    this.#links.set(key, open);
    return this.#due(open, now);
  }

  #due(visited: Open, now: number): ExcludedCount[] {
    if (isOver(visited, now)) Object.assign(visited, { since: now, writes: 0 });
    const due = new Set(visited.writes < this.#writesAMinute ? [visited] : []);
    for (const [key, open] of this.#links) {
      const isCrowded = this.#links.size > this.#most;
      if (due.size === writesAtOnce || (!isOver(open, now) && !isCrowded)) break;
      if (Object.keys(open.reasons).length > 0) due.add(open);
      if (open !== visited) this.#links.delete(key);
    }
    return [...due].map(takeFrom);
  }
}

const isOver = ({ since }: Open, now: number): boolean => now - since >= minuteMs;

const takeFrom = (open: Open): ExcludedCount => {
  const { project, code, reasons } = open;
  open.reasons = {};
  open.writes += 1;
  return { project, code, reasons };
};
