import { Bounded } from '../core/base/bounded.ts';
import { limits } from '../core/base/limits.ts';
import { takedownStore } from '../core/destinations/takedowns.ts';
import { type Memories, memoriesOf } from '../core/memories.ts';
import { forClients, type Patience } from '../core/table/patience.ts';
import type { Table } from '../core/table/table.ts';
import { openTable } from '../core/table/whole-table.ts';
import type { Counters } from './admission.ts';
import { openFunction } from './open-function.ts';
import { openReads } from './open-reads.ts';

/** What the Lambdas of endpoints work with. */
export interface Service {
  /** The table for one request, which gives up at a time in epoch milliseconds. */
  readonly openTable: (patience: Patience, until: number) => Table;
  readonly counters: Counters;
  readonly takedowns: ReturnType<typeof takedownStore>;
  readonly memories: Memories;
  readonly shortBase: string;
  readonly shortHosts: readonly string[];
  /** Links that a project may have; undefined without a limit. */
  readonly linksPerProject: number | undefined;
  /** Days for which figures over time are kept; for ever if undefined. */
  readonly figuresRetentionDays: number | undefined;
  /** Configured per deployment; the default is the contract's. */
  readonly hourlyLimit: number;
}

/** Opens what an endpoint's Lambda works with, as its environment says. */
export const openService = (environment: NodeJS.ProcessEnv): Service => {
  const { settings, tableFor } = openFunction({ name: 'endpoint', environment, port: openTable });
  const { shortBase, shortHosts, linksPerProject, figuresRetentionDays, rateLimitPerHour } = settings;
  const reads = openReads(tableFor, environment);
  return {
    openTable: (patience, until) => tableFor(patience, { until }),
    // Every call waits for it. A second was too short for a busy machine.
    counters: { table: tableFor({ ...forClients, deadlineMs: 3000 }), refused: new Bounded(10_000) },
    takedowns: takedownStore(reads),
    memories: memoriesOf(reads),
    shortBase,
    shortHosts: [URL.parse(shortBase)?.host ?? '', ...shortHosts.split(',')].filter(Boolean),
    linksPerProject,
    figuresRetentionDays,
    hourlyLimit: rateLimitPerHour ?? limits.requestsPerHour,
  };
};
