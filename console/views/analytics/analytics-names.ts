import { type DimensionName, dimensions } from '../../../core/analytics/dimensions.ts';
import type { CallOutput } from '../../calls/client.ts';

export type LinkAnalyticsOutput = CallOutput<'analytics'>;

/** Names of a grouping with their clicks, in descending order. */
export const rankedNames = (
  { clicks }: Pick<LinkAnalyticsOutput, 'clicks'>,
  group: DimensionName | 'links' | 'tags',
): { readonly name: string; readonly count: number }[] => {
  const field = group === 'links' ? 'code' : group === 'tags' ? 'tag' : dimensions[group].field;
  const entries: readonly Readonly<Record<string, string | number>>[] = clicks[group] ?? [];
  return entries.map((entry) => ({ name: String(entry[field]), count: Number(entry.clicks) }));
};
