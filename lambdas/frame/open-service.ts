import { Bounded } from '../../core/base/bounded.ts';
import { limits } from '../../core/base/limits.ts';
import { takedownStore } from '../../core/destinations/takedowns.ts';
import { forClients } from '../../core/table/patience.ts';
import { openTable } from '../../core/table/whole-table.ts';
import type { Counters } from './admission.ts';
import { openFunction } from './open-function.ts';
import { openReads } from './open-reads.ts';

/** What the Lambdas of endpoints work with. */
export type OpenService = ReturnType<typeof openService>;

/** Opens what an endpoint's Lambda works with, as its environment says. */
export const openService = () => {
  const { settings, tableFor } = openFunction('endpoint', openTable);
  const { shortBase, shortHosts, linksPerProject, figuresRetentionDays, rateLimitPerHour } = settings;
  const reads = openReads(tableFor);
  // Every call waits for it. A second was too short for a busy machine.
  const table = tableFor({ ...forClients, deadlineMs: 3000 });
  const counters: Counters = { table, refused: new Bounded(10_000) };
  return {
    tableFor,
    counters,
    takedowns: takedownStore(reads),
    reads,
    /** What behaviours are told of the deployment. */
    chosen: {
      shortBase,
      shortHosts: [URL.parse(shortBase)?.host ?? '', ...shortHosts.split(',')].filter(Boolean),
      linksPerProject,
      figuresRetentionDays,
    },
    /** The contract's, unless the deployment has another one. */
    hourlyLimit: rateLimitPerHour ?? limits.requestsPerHour,
  };
};
