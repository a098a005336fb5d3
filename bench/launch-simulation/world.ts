import type { CopyAges } from './copy-ages.ts';
import type { FirewallModel } from './firewall.ts';
import type { FleetModel } from './fleet-model.ts';
import type { QueueModel } from './queue-model.ts';
import type { Scenario } from './scenarios.ts';
import type { StreamModel } from './stream-model.ts';
import type { TableModel } from './table-model.ts';
import type { VirtualClock } from './virtual-clock.ts';
import type { Visitors } from './visitors.ts';

/** Counts of the responses that visitors got. */
export interface Answers {
  visits: number;
  redirected: number;
  busy: number;
  /** Busy pages in the first five seconds of the table's outage. */
  busyEarly: number;
  throttled: number;
  /** Requests that the firewall refused. */
  refused: number;
  failed: number;
  /** Seconds from the start in which visitors got the busy page. */
  readonly busySeconds: Set<number>;
  readonly delays: number[];
}

/** Everything that a scenario takes place in. */
export interface World {
  readonly scenario: Scenario;
  readonly clock: VirtualClock;
  readonly table: TableModel;
  readonly queue: QueueModel;
  readonly stream: StreamModel;
  readonly fleet: FleetModel;
  readonly visitors: Visitors;
  readonly firewall: FirewallModel | undefined;
  readonly ages: CopyAges;
  readonly groups: number;
}
