import { limits } from '../../../core/base/limits.ts';
import type { LinkFigures, ProjectFigures } from '../../links/figures.ts';
import { type Context, wholeNumber } from '../command.ts';

/** The option for the days of figures. */
export const days = wholeNumber(
  'N',
  `the last N days, today included, up to ${limits.buckets} (default: 30)`,
  1,
);

/** Prints figures as a chart; for JSON, resolves to them. */
export const drawn = async (
  figures: LinkFigures | ProjectFigures,
  { isJson, print, columns }: Context,
): Promise<object | undefined> => {
  if (isJson) return figures;
  const { figuresChart } = await import('../figures-chart.ts');
  print(figuresChart(figures, columns));
  return undefined;
};
