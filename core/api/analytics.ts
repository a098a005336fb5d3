import * as z from 'zod';
import { dimensionTexts } from '../analytics/dimension-texts.ts';
import { dimensionNames, dimensions, eachDimension } from '../analytics/dimensions.ts';
import { intervals } from '../analytics/time-range.ts';
import { events } from '../analytics-queries/groupings.ts';
import { filterOf, type Grouping, groupings } from '../analytics-queries/query-analytics.ts';
import { limits } from '../base/limits.ts';
import { faultMessage } from '../base/messages.ts';
import { alsoNamed } from '../fields/other-names.ts';
import { writtenTime } from '../fields/time-schema.ts';
import { linkCode } from '../links/stored-link-schema.ts';
import { endpoint } from './endpoint.ts';

const needCode: readonly string[] = [
  'excluded',
  ...dimensionNames.filter((name) => dimensions[name].ofLinks),
];
const meanings = dimensionNames
  .map(
    (name) =>
      `\`${name}\`: ${dimensionTexts[name].says}${needCode.includes(name) ? '; it needs a `code`' : ''}.`,
  )
  .join(' ');
const mostNamed = dimensionNames
  .flatMap((name) => (dimensions[name].most === undefined ? [] : [`${dimensions[name].most} \`${name}\``]))
  .join(', ');

const grouping = z.enum(groupings).meta({ id: 'Grouping' });

const groupBy = z
  .string()
  .default('count')
  .transform((text, context) => {
    const names = text.split(',');
    const [unknown] = names.filter((name) => !groupings.some((known) => known === name));
    if (unknown !== undefined)
      context.addIssue({ code: 'invalid_value', values: [...groupings], input: unknown });
    else if (new Set(names).size < names.length)
      context.addIssue({ code: 'custom', message: faultMessage('repeatedItem') });
    // Unknown names were rejected above.
    return (names.length === 1 ? names[0] : names) as Grouping | Grouping[];
  })
  .pipe(z.union([grouping, z.array(grouping).min(2).max(limits.groupings)]));

const fields = [...dimensionNames.map((name) => dimensions[name].field), 'tag'];
const filter = z
  .string()
  .regex(
    new RegExp(`^(?:${fields.join('|')}):.`),
    faultMessage('analyticsFilter', { fields: fields.join(', ') }),
  );

const parameters = z
  .object({
    code: z.string().optional(),
    groupBy: groupBy.meta({
      default: 'count',
      description: `How to group: one of these, or up to ${limits.groupings} with commas between; \`data\` then has an entry for each. ${meanings} \`filtered\` is the clicks over time that have the value in \`filter\`. \`tags\` counts a click under each tag that its link had. \`links\` and \`tags\` take no \`code\`. \`excluded\` counts visits that are not clicks by reason: \`bot\`, \`social-crawler\`, \`prefetch\`, \`head\` or \`debug\`. It needs a \`code\` and covers the link's whole life. Above 20 such visits of a link a minute it is approximate and some seconds late.`,
    }),
    filter: filter.optional(),
    event: z.enum(events).default('clicks'),
    interval: z.enum(intervals).optional(),
    start: writtenTime.optional(),
    end: writtenTime.optional(),
    granularity: z.enum(['hour', 'day', 'month']).optional(),
  })
  .superRefine(({ code, groupBy: asked, filter, event, interval, start, end }, context) => {
    const refuse = (field: string, ...message: Parameters<typeof faultMessage>) =>
      context.addIssue({ code: 'custom', path: [field], message: faultMessage(...message) });
    for (const groupBy of [asked].flat()) {
      if ((groupBy === 'links' || groupBy === 'tags') && code !== undefined)
        refuse('code', 'notWithGrouping', { groupBy });
      if (needCode.includes(groupBy) && code === undefined) refuse('code', 'neededByGrouping', { groupBy });
      const hasOpens = groupBy === 'count' || groupBy === 'timeseries';
      if (event === 'opens' && !hasOpens) refuse('event', 'opensGrouping');
    }
    const isFiltered = [asked].flat().includes('filtered');
    if (isFiltered && !filter) refuse('filter', 'neededByGrouping', { groupBy: 'filtered' });
    if (!isFiltered && filter) refuse('filter', 'onlyWithGrouping', { groupBy: 'filtered' });
    const { group = '' } = filter ? filterOf(filter) : {};
    if (group === 'tags' && code !== undefined) refuse('code', 'notWithGrouping', { groupBy: 'tags' });
    if (needCode.includes(group) && code === undefined)
      refuse('code', 'neededByGrouping', { groupBy: group });
    if (asked !== 'excluded') return;
    for (const [field, value] of Object.entries({ interval, start, end })) {
      if (value !== undefined) refuse(field, 'notWithGrouping', { groupBy: 'excluded' });
    }
  });

/** Other APIs' names for the ends of a range. */
const query = alsoNamed(parameters, [
  ...['from', 'since', 'startDate'].map((name) => [name, 'start'] as const),
  ...['to', 'until', 'endDate'].map((name) => [name, 'end'] as const),
]);

const whole = z.number().int();
const clicks = z.object({ clicks: whole, uniqueClicks: whole }).meta({ id: 'ClickCount' });
const opens = z.object({ opens: whole, firstOpens: whole }).meta({ id: 'OpenCount' });
const start = z.object({ start: z.iso.datetime() });
const namedClicks = (label: string) =>
  z
    .object({ [label]: z.string(), clicks: whole })
    .meta({ id: `${label[0]?.toUpperCase()}${label.slice(1)}Clicks` });

/** Schemas of `data` by grouping. */
const results = {
  count: z.union([clicks, opens]),
  timeseries: z.union([
    z.array(z.object({ ...start.shape, ...clicks.shape }).meta({ id: 'ClickBucket' })),
    z.array(z.object({ ...start.shape, ...opens.shape }).meta({ id: 'OpenBucket' })),
  ]),
  filtered: z.array(z.object({ ...start.shape, clicks: whole }).meta({ id: 'FilteredBucket' })),
  ...eachDimension(({ field }) => z.array(namedClicks(field))),
  tags: z.array(z.object({ tag: z.string(), clicks: whole }).meta({ id: 'TagClicks' })),
  links: z.array(z.object({ code: linkCode, clicks: whole }).meta({ id: 'LinkClicks' })),
  excluded: z.array(z.object({ reason: z.string(), visits: whole }).meta({ id: 'ExcludedVisits' })),
};

export const getAnalytics = endpoint({
  method: 'GET',
  path: '/analytics',
  tag: 'Analytics',
  summary: 'Get analytics',
  description: `Returns the clicks or app opens of a link or of the whole project, over time or grouped. A visitor counts as unique on each link at the first click, and again only after 90 days without a click (the operator can choose another time). Groupings by platform, country and other fields of a click add up to the count of the same range. \`links\` lists the busiest links that are not deleted, at most ${limits.busiestLinks.shown}, among the ${limits.busiestLinks.candidates} busiest of the range. A day or an hour names at most ${mostNamed}, 100 \`tags\` and 250 links, besides a link’s own campaign and source. Others count as \`other\`, other tags not at all; a name that is added later lacks its earlier clicks. A time series has at most 1,000 buckets. Clicks are in the analytics within two seconds (the operator can choose up to 300); while a link gets more than the service can write at once, the rest comes later, at the time of the visit, and analytics never show too many.`,
  query,
  result: z.union([...Object.values(results), z.object(results).partial().meta({ id: 'GroupedAnalytics' })]),
  timestamp: 'success',
  failures: {
    LINK_NOT_FOUND: 'No link with this code in the project.',
  },
  scope: 'links:read',
  uses: ['analytics.find', 'links.firstAt', 'links.get', 'links.existing', 'timeseries.find'],
  example: {
    query: {
      code: 'summer',
      groupBy: 'timeseries',
      start: '2026-11-19',
      end: '2026-11-20',
      granularity: 'day',
    },
    data: [
      { start: '2026-11-19T00:00:00.000Z', clicks: 2, uniqueClicks: 1 },
      { start: '2026-11-20T00:00:00.000Z', clicks: 1, uniqueClicks: 1 },
    ],
  },
});
