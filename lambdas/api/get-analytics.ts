import { analyticsStore } from '../../core/analytics/analytics-store.ts';
import { timeseriesStore } from '../../core/analytics/timeseries-store.ts';
import { queryAnalytics } from '../../core/analytics-queries/query-analytics.ts';
import { getAnalytics } from '../../core/api/analytics.ts';
import type { Result } from '../../core/api/endpoint.ts';
import { linkStore } from '../../core/links/link-store.ts';
import { serve } from '../frame/serve.ts';

export const handler = serve(
  getAnalytics,
  { analytics: (table) => analyticsStore(table), links: linkStore, timeseries: timeseriesStore },
  async (input, stores) => {
    const { groupBy, ...query } = input.query;
    const project = input.caller.project;
    const data = await queryAnalytics(stores, [groupBy].flat(), query, { ...input, project });
    // The schema's names of groupings are computed, so the compiler can't compare them.
    return (Array.isArray(groupBy) ? data : data[groupBy]) as Result<typeof getAnalytics>;
  },
);
