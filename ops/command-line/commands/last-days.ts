import { limits } from '../../../core/base/limits.ts';
import type { LinkAnalytics, ProjectAnalytics } from '../../links/analytics.ts';
import { type Context, wholeNumber } from '../command.ts';

/** The option for the days of analytics. */
export const days = wholeNumber(
  'N',
  `the last N days, today included, up to ${limits.buckets} (default: 30)`,
  1,
);

/** Prints analytics as a chart; for JSON, resolves to them. */
export const printChart = async (
  analytics: LinkAnalytics | ProjectAnalytics,
  { isJson, print, columns }: Context,
): Promise<object | undefined> => {
  if (isJson) return analytics;
  const { analyticsChart } = await import('../analytics-chart.ts');
  print(analyticsChart(analytics, columns));
  return undefined;
};
