import { minuteMs } from '../base/durations.ts';
import type { VisitorReads } from '../cached-reads/visitor-reads.ts';
import { hiddenKey, homeKey, type LinkId } from '../table/keys.ts';

/** What the second region knows of the first. */
export interface Home {
  /** The queue of late clicks in the first region. */
  readonly clickQueueUrl: string;
  /** The visitor secret's replica. */
  readonly secretArn: string;
  /** The time of the last beat that was copied, in epoch milliseconds: all earlier changes are. */
  readonly copiedAt: number;
  /** The time from that beat until it was copied, in milliseconds. */
  readonly delay: number;
  /** Set by an operator: visitors get the page that tries again. */
  readonly stopped?: boolean;
}

/** The interval of beats. */
const beatMs = minuteMs;

/** The greatest number of seconds that a copy for visitors may be behind. */
export const mostBehindSeconds = 60;

/** How far a copy is behind in seconds: the last beat's delay, or the time for which the next one is overdue. */
export const behindSecondsOf = ({ copiedAt, delay }: Home, now: number): number =>
  Math.max(0, Math.round(Math.max(delay, now - copiedAt - beatMs) / 1000));

/** Reads in the second region, cached for seconds. */
export const standbyStore = (reads: VisitorReads) => ({
  /** Undefined before the first copy. */
  home: async (): Promise<Home | undefined> => {
    const item = await reads.recentItem(homeKey, { trustAbsence: false });
    // Commands may have stored `stopped` before the first beat.
    return item?.copiedAt === undefined ? undefined : (item as unknown as Home);
  },
  /** Whether an operator has hidden the link in this region. */
  isHidden: async (link: LinkId): Promise<boolean> => (await reads.hidden()).has(hiddenKey(link).SK),
});
