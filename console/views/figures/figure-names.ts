import { type SplitName, splits } from '../../../core/figures/splits.ts';
import type { CallOutput } from '../../calls/port.ts';

export type LinkFiguresOutput = CallOutput<'figures'>;

/** Names of a grouping with their clicks, in descending order. */
export const rankedNames = (
  { clicks }: Pick<LinkFiguresOutput, 'clicks'>,
  group: SplitName | 'links' | 'tags',
): { readonly name: string; readonly count: number }[] => {
  const field = group === 'links' ? 'code' : group === 'tags' ? 'tag' : splits[group].field;
  const entries: readonly Readonly<Record<string, string | number>>[] = clicks[group] ?? [];
  return entries.map((entry) => ({ name: String(entry[field]), count: Number(entry.clicks) }));
};
