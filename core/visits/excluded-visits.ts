import { Bounded } from '../base/bounded.ts';
import { minuteMs } from '../base/durations.ts';
import type { LinkId } from '../table/keys.ts';

/** Visits of one link, by the reasons why they are no clicks. */
export interface ExcludedCount extends LinkId {
  readonly reasons: Readonly<Record<string, number>>;
}

interface Seen extends LinkId {
  /** When the minute began in which its visits are counted. */
  readonly since: number;
  visits: number;
  /** Whether it had too many in the minute before. */
  readonly wasBusy: boolean;
  /** What isn't written yet. */
  reasons: Record<string, number>;
}

/** So many visits of a link in a minute are written immediately, each by itself. */
const atOnce = 20;
/** All others are written this often, so that a fleet of 1,000 containers makes 100 writes a second. */
const pauseMs = 10_000;

/**
 * Counts one container's visits that aren't clicks. Up to 20 a minute of a link are written at once, so that figures show
 * them; beyond, visits are gathered, and those of all links go out together with the next such visit after ten seconds. So
 * a container that ends loses what it has gathered since.
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

  /** Takes counts back that the table had no room for. */
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
