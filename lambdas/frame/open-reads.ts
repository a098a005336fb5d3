import { type VisitorReads, visitorReads } from '../../core/cached-reads/visitor-reads.ts';
import { allowLocalhost } from '../../core/destinations/web-address.ts';
import { forClicks, forVisitors, type Patience } from '../../core/table/patience.ts';
import type { Items } from '../../core/table/table.ts';
import { countMetric } from './log.ts';
import { environment } from './open-function.ts';

/** The reads of a function whose response somebody waits for, who may be led to addresses. */
export const openReads = (tableFor: (patience: Patience) => Items): VisitorReads => {
  // Only the local stack sets these two; no template has them.
  const { LOCAL_DESTINATIONS, LOCAL_MEMORY_MS } = environment;
  if (LOCAL_DESTINATIONS === 'allowed') allowLocalhost();
  const ms = Number(LOCAL_MEMORY_MS);
  const memory = LOCAL_MEMORY_MS ? { suspension: ms, blocking: ms, host: ms } : undefined;
  // What is known can answer in place of the table.
  const hasty = tableFor({ ...forClicks, deadlineMs: 500 });
  return visitorReads(tableFor(forVisitors), { hasty, count: countMetric, memory });
};
