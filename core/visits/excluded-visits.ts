import { Bounded } from '../base/bounded.ts';
import { minuteMs } from '../base/durations.ts';
import type { LinkId } from '../table/keys.ts';

/** A link's visits that aren't clicks, by reason. */
export interface ExcludedCount extends LinkId {
  readonly reasons: Readonly<Record<string, number>>;
}

interface Seen extends LinkId {
  /** Start of the minute in which visits are counted, in epoch milliseconds. */
  readonly since: number;
  visits: number;
  /** Whether the link had more than `atOnce` in the minute before. */
  readonly wasBusy: boolean;
  /** Counts that aren't written yet. */
  reasons: Record<string, number>;
}

/** Visits of a link in a minute that are written immediately, one by one. */
const atOnce = 20;
/** Interval of all other writes: 1,000 containers make 100 writes a second. */
const pauseMs = 10_000;

/**
 * Counts a container's visits that aren't clicks. Up to 20 a minute of a link are written at once, so that analytics show
 * them. Further ones are gathered for all links, and written with the first such visit after ten seconds. A container
 * that ends loses the counts that it has gathered since.
 */
export class ExcludedVisits {
  readonly #links = new Bounded<Seen>(5000);
  #wroteAll = Number.NEGATIVE_INFINITY;

  /** Adds a visit, and returns the counts to write now. */
  add(link: LinkId, reason: string, now: number): ExcludedCount[] {
    const seen = this.#seen(link, now);
    seen.visits += 1;
    addTo(seen.reasons, reason, 1);
    const isTime = now - this.#wroteAll >= pauseMs;
    if (isTime) this.#wroteAll = now;
    const written = isTime ? [...this.#links.values()] : [seen].filter((one) => !isBusy(one) && !one.wasBusy);
    return written.flatMap((one) => {
      const { project, code, reasons } = one;
      one.reasons = {};
      return Object.keys(reasons).length > 0 ? [{ project, code, reasons }] : [];
    });
  }

  /** Takes back counts that the table didn't accept. */
  giveBack({ project, code, reasons }: ExcludedCount, now: number): void {
    const seen = this.#seen({ project, code }, now);
    seen.visits += atOnce;
    for (const [reason, visits] of Object.entries(reasons)) addTo(seen.reasons, reason, visits);
  }

  #seen({ project, code }: LinkId, now: number): Seen {
    const name = `${project}#${code}`;
    const known = this.#links.get(name);
    if (known && now - known.since < minuteMs) return known;
    const wasBusy = known !== undefined && isBusy(known) && now - known.since < 2 * minuteMs;
    const seen = { project, code, since: now, visits: 0, wasBusy, reasons: known?.reasons ?? {} };
    this.#links.set(name, seen);
    return seen;
  }
}

const isBusy = ({ visits }: Seen): boolean => visits > atOnce;

const addTo = (reasons: Record<string, number>, reason: string, visits: number): void => {
  reasons[reason] = (reasons[reason] ?? 0) + visits;
};
