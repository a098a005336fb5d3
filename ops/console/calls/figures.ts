import * as z from 'zod';
import { call } from '../call.ts';
import { project } from './projects.ts';

interface Group {
  readonly name: string;
  readonly clicks: number;
}

export const groupNames = ['platforms', 'countries', 'referrers', 'browsers', 'os', 'triggers'] as const;

/** The figures of a link or a project in a range of time. */
export interface ShownFigures {
  readonly granularity: 'hour' | 'day' | 'month';
  readonly count: { readonly clicks: number; readonly uniqueClicks: number };
  readonly opens?: { readonly opens: number; readonly firstOpens: number };
  readonly series: readonly {
    readonly start: string;
    readonly clicks: number;
    readonly uniqueClicks: number;
  }[];
  readonly groups: Readonly<Record<(typeof groupNames)[number], readonly Group[]>>;
  readonly links?: readonly Group[];
  readonly excluded?: readonly { readonly name: string; readonly visits: number }[];
}

export const figureCalls = {
  figures: call(
    z.object({
      project,
      code: z.string().optional(),
      interval: z.enum(['24h', '7d', '30d', '90d', '1y', 'all']),
    }),
    async (input, { target }): Promise<ShownFigures> => {
      const none = { platforms: [], countries: [], referrers: [], browsers: [], os: [], triggers: [] };
      if (input.code === undefined)
        return { granularity: 'day', count: { clicks: 0, uniqueClicks: 0 }, series: [], groups: none };
      const { figures, excluded } = await target.stores.figures.find(input.project, input.code);
      return {
        granularity: 'day',
        count: { clicks: figures.clicks, uniqueClicks: figures.uniques },
        series: [],
        groups: { ...none, platforms: groupOf(figures.platforms), countries: groupOf(figures.countries) },
        excluded: Object.entries(excluded).map(([name, visits]) => ({ name, visits })),
      };
    },
  ),
};

const groupOf = (counts: Readonly<Record<string, number>>): Group[] =>
  Object.entries(counts)
    .map(([name, clicks]) => ({ name, clicks }))
    .sort((a, b) => b.clicks - a.clicks);
