import type { TableFault } from './table-model.ts';

/** A scenario for one link. Rates and limits are those of AWS; the simulation divides them by its scale. */
export interface Scenario {
  readonly name: string;
  /** Visits a second at the peak. */
  readonly visits: number;
  /** Seconds until the peak. */
  readonly riseSeconds: number;
  readonly holdSeconds: number;
  /** Whether the link is prepared as the runbook asks: `link prepare`, `warmThroughput`, provisioned concurrency. */
  readonly isPrepared: boolean;
  /** Concurrent executions of the account. */
  readonly quota: number;
  /** Divides limits, visits and fleet. */
  readonly scale: number;
  /** The share of calls that the queue refuses. */
  readonly queueRefuses?: number;
  /** How the table fails, and from which second to which. */
  readonly away?: { readonly how: TableFault; readonly from: number; readonly to: number };
  /** Whether the table splits partitions that stay hot. @default true */
  readonly splits?: boolean;
  /** The share of the partitions promised by warm throughput that exist. @default 1 */
  readonly partitions?: number;
  /** Seconds of visits after the peak, and their half-life in seconds. */
  readonly tail?: { readonly seconds: number; readonly halvesIn: number };
  /** The firewall's limit for an address in five minutes, and the share of visits from a single address. */
  readonly firewall?: { readonly visitsPerAddress: number; readonly ofOneAddress: number };
  /** The share of 429 responses that visitors retry after 1–5 s. @default 0 */
  readonly reloads?: number;
}

/** Seconds in which visitors come. */
export const secondsOf = ({ riseSeconds, holdSeconds, tail }: Scenario): number =>
  riseSeconds + holdSeconds + (tail?.seconds ?? 0);

const scenario = (
  name: string,
  visits: number,
  isPrepared: boolean,
  more: Partial<Scenario> = {},
): Scenario => ({
  name,
  visits,
  isPrepared,
  riseSeconds: 10,
  holdSeconds: 120,
  // The quota that preflight asks for, at least an account's default.
  quota: Math.max(1000, Math.ceil((visits / 10) * 1.5)),
  scale: 100,
  ...more,
});

/** An outage of the table in the middle of the peak, from and to in seconds. */
const away = (how: TableFault) => ({ how, from: 60, to: 90 });

export const scenarios: readonly Scenario[] = [
  scenario('50,000/s, prepared, 1:20', 50_000, true, { holdSeconds: 40, scale: 20 }),
  scenario('5,000/s, prepared', 5000, true),
  scenario('5,000/s, unprepared', 5000, false),
  scenario('20,000/s, prepared', 20_000, true),
  scenario('20,000/s, unprepared', 20_000, false),
  scenario('50,000/s, prepared', 50_000, true),
  scenario('50,000/s, unprepared', 50_000, false),
  scenario('50,000/s, unprepared, nothing splits', 50_000, false, { splits: false }),
  scenario('50,000/s, unprepared, default quota', 50_000, false, { quota: 1000 }),
  scenario('50,000/s within 2 s, prepared', 50_000, true, { riseSeconds: 2 }),
  scenario('50,000/s within 2 s, unprepared', 50_000, false, { riseSeconds: 2 }),
  scenario('50,000/s, unprepared, queue refuses 1 %', 50_000, false, { queueRefuses: 0.01 }),
  scenario('2,500/s, prepared, table errs for 30 s', 2500, true, { scale: 5, away: away('errors') }),
  scenario('2,500/s, prepared, table silent for 30 s', 2500, true, { scale: 5, away: away('silent') }),
  scenario('20,000/s, prepared, table errs for 30 s', 20_000, true, { away: away('errors') }),
  scenario('50,000/s, prepared, as on an evening', 50_000, true, {
    partitions: 0.5,
    tail: { seconds: 300, halvesIn: 60 },
    firewall: { visitsPerAddress: 10_000, ofOneAddress: 0.01 },
    reloads: 0.5,
  }),
];
