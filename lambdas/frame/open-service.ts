import { Bounded } from '../../core/base/bounded.ts';
import { limits } from '../../core/base/limits.ts';
import { serviceHosts } from '../../core/projects/project.ts';
import { forClients } from '../../core/table/retry-policy.ts';
import { openTable } from '../../core/table/whole-table.ts';
import type { Counters } from './admission.ts';
import { openFunction } from './open-function.ts';
import { openReads } from './open-reads.ts';

/** Resources of endpoints' functions. */
export type OpenService = ReturnType<typeof openService>;

/** Opens the resources of an endpoint's function, by its environment. */
export const openService = () => {
  const { settings, tableFor } = openFunction('endpoint', openTable);
  const { shortBase, shortHosts, linksPerProject, figuresRetentionDays, rateLimitPerHour } = settings;
  const reads = openReads(tableFor);
  // The table for counting calls, for which every call waits. A second was too short on a busy machine.
  const table = tableFor({ ...forClients, deadlineMs: 3000 });
  const counters: Counters = { table, refused: new Bounded(10_000) };
  return {
    tableFor,
    counters,
    reads,
    /** The deployment's settings for handlers. */
    chosen: {
      shortBase,
      shortHosts: serviceHosts(shortBase, shortHosts),
      linksPerProject,
      figuresRetentionDays,
    },
    /** The contract's limit, unless the deployment has its own. */
    hourlyLimit: rateLimitPerHour ?? limits.requestsPerHour,
  };
};
