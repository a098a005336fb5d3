import { minuteMs } from '../base/durations.ts';
import type { LinkId } from '../table/keys.ts';
import type { Visit } from './visit.ts';

export type ExclusionReason = Extract<Visit, { kind: 'excluded' }>['reason'];

/** The pending visits of one link. */
export interface ExcludedCount extends LinkId {
  readonly reasons: Readonly<Partial<Record<ExclusionReason, number>>>;
}

interface Open extends LinkId {
  /** Visits that aren't written yet. */
  reasons: Partial<Record<ExclusionReason, number>>;
  /** The minute in which visits are counted: when it began, its visits, and those of the minute before. */
  since: number;
  visits: number;
  before: number;
  visited: number;
  written: number;
  restsUntil: number;
}

/** So many visits of a link in a minute are written immediately, each by itself. */
const atOnce = 20;
/** Beyond, a link is written this often, so that a fleet of 1,000 containers makes 100 writes a second. */
const pauseMs = 10_000;
/** Writes that one visit makes at most. */
const writesAtOnce = 4;
/** So many waiting links are looked at beside each visit. */
const lookedAt = 8;

/**
 * Counts one container's visits that aren't clicks. Up to 20 a minute of a link are written at once, so that figures show
 * them; beyond, visits are gathered and written every ten seconds. They wait for the next such visit of any link, so a
 * container that ends loses what it has gathered since its last write.
 */
export class ExcludedVisits {
  /** By their last visit, the oldest first. */
  readonly #links = new Map<string, Open>();
  /** Links with visits that aren't written yet. */
  readonly #waiting = new Set<Open>();
  readonly #most: number;

  /** Remembers `most` links. */
  constructor({ most = 5000 } = {}) {
    this.#most = most;
  }

  /** Adds a visit, and returns the counts to write now. */
  add(link: Link, reason: ExclusionReason, now: number): ExcludedCount[] {
    const open = this.#open(link, now);
    if (now - open.since >= minuteMs)
      Object.assign(open, { since: now, visits: 0, before: now - open.visited < minuteMs ? open.visits : 0 });
    open.visits += 1;
    open.visited = now;
    this.#gather(open, { [reason]: 1 });
    this.#forget(now);
    return this.#due(open, now).map((one) => this.#take(one, now));
  }

  /** Takes counts back that the table had no room for. Their link rests for a minute. */
  giveBack({ reasons, ...link }: ExcludedCount, now: number): void {
    const open = this.#open(link, now);
    this.#gather(open, reasons);
    open.restsUntil = now + minuteMs;
  }

  #open({ project, code }: Link, now: number): Open {
    const key = `${project}#${code}`;
    const times = { since: now, visited: now, written: 0, restsUntil: 0 };
    const open = this.#links.get(key) ?? { project, code, reasons: {}, visits: 0, before: 0, ...times };
    this.#links.delete(key);
    this.#links.set(key, open);
    return open;
  }

  #gather(open: Open, reasons: ExcludedCount['reasons']): void {
    for (const [reason, visits] of Object.entries(reasons) as [ExclusionReason, number][])
      open.reasons[reason] = (open.reasons[reason] ?? 0) + visits;
    this.#waiting.add(open);
  }

  /** Those without a visit for a minute begin anew, and so do the oldest if there are too many. */
  #forget(now: number): void {
    for (const [key, open] of this.#links) {
      const isOver = now - open.visited >= minuteMs && now >= open.restsUntil;
      if (!isOver && this.#links.size <= this.#most) return;
      this.#links.delete(key);
    }
  }

  /** The visited link first; of the others those that waited longest. */
  #due(visited: Open, now: number): Open[] {
    const due = new Set(isDue(visited, now) ? [visited] : []);
    let looked = 0;
    for (const open of this.#waiting) {
      if (due.size === writesAtOnce || looked === lookedAt) break;
      looked += 1;
      if (isDue(open, now)) due.add(open);
      this.#waiting.delete(open);
      this.#waiting.add(open);
    }
    return [...due];
  }

  #take(open: Open, now: number): ExcludedCount {
    const { project, code, reasons } = open;
    Object.assign(open, { reasons: {}, written: now });
    this.#waiting.delete(open);
    return { project, code, reasons };
  }
}

type Link = Pick<ExcludedCount, 'project' | 'code'>;

const isDue = ({ visits, before, written, restsUntil }: Open, now: number): boolean =>
  now >= restsUntil && (Math.max(visits, before) <= atOnce || now - written >= pauseMs);
