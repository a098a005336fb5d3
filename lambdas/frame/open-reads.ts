import { type VisitorReads, visitorReads } from '../../core/cached-reads/visitor-reads.ts';
import { allowLocalhost } from '../../core/destinations/web-address.ts';
import { forClicks, forVisitors, type RetryPolicy } from '../../core/table/retry-policy.ts';
import type { Items } from '../../core/table/table.ts';
import { countMetric } from './log.ts';
import { environment } from './open-function.ts';

/** The cached reads of functions that handle visitors or destinations. */
export const openReads = (tableFor: (policy: RetryPolicy) => Items): VisitorReads => {
  // Only the local stack sets these two.
  const { LOCAL_DESTINATIONS, LOCAL_MEMORY_MS } = environment;
  if (LOCAL_DESTINATIONS === 'allowed') allowLocalhost();
  const ms = Number(LOCAL_MEMORY_MS);
  const memory = LOCAL_MEMORY_MS ? { suspension: ms, blocking: ms, host: ms } : undefined;
  // A short deadline, because a cached value can replace a failed read.
  const hasty = tableFor({ ...forClicks, deadlineMs: 500 });
  return visitorReads(tableFor(forVisitors), { hasty, count: countMetric, memory });
};
