import * as z from 'zod';
import { limits } from '../base/limits.ts';
import { faultMessage } from '../base/messages.ts';
import { writtenTime } from '../fields/time-schema.ts';
import { events } from '../figures/analytics.ts';
import { splitList, splitNames, splits } from '../figures/splits.ts';
import { intervals } from '../figures/time-range.ts';
import { linkCode } from '../links/stored-link-schema.ts';
import { endpoint } from './endpoint.ts';

const needCode: readonly string[] = ['excluded', ...splitNames.filter((name) => splits[name].ofLinks)];
const meanings = splitNames
  .map((name) => `\`${name}\`: ${splits[name].says}${needCode.includes(name) ? '; it needs a `code`' : ''}.`)
  .join(' ');
const mostNamed = splitNames
  .flatMap((name) => (splits[name].most === undefined ? [] : [`${splits[name].most} \`${name}\``]))
  .join(', ');

const query = z
  .object({
    code: z.string().optional().describe('A link of the project. Without it, the figures cover all links.'),
    groupBy: z
      .enum(['count', 'timeseries', ...splitNames, 'links', 'excluded'])
      .default('count')
      .describe(
        `How to group the clicks. ${meanings} \`links\` takes no \`code\`. \`excluded\` counts the visits that are not clicks by reason: \`bot\`, \`social-crawler\`, \`prefetch\`, \`head\` or \`debug\`. It needs a \`code\` and takes no range. Above 20 such visits of a link a minute it is approximate and some seconds late.`,
      ),
    event: z
      .enum(events)
      .default('clicks')
      .describe('`opens` are app opens; they go with `count` and `timeseries` only.'),
    interval: z
      .enum(intervals)
      .optional()
      .describe('Whole days or hours up to `end`. Default: `30d`. `all` begins with the first link.'),
    start: writtenTime.optional().describe('ISO 8601. Overrides `interval`.'),
    end: writtenTime
      .optional()
      .describe('ISO 8601, exclusive; a date without time includes that day. Default and latest: now.'),
    granularity: z
      .enum(['hour', 'day', 'month'])
      .optional()
      .describe(
        'Size of the buckets. Ranges are widened to whole buckets in UTC. Default: `hour` up to 48 hours, `day` up to 400 days, else `month`.',
      ),
  })
  .superRefine(({ code, groupBy, event, interval, start, end }, context) => {
    const refuse = (field: string, ...message: Parameters<typeof faultMessage>) =>
      context.addIssue({ code: 'custom', path: [field], message: faultMessage(...message) });
    if (groupBy === 'links' && code !== undefined) refuse('code', 'notWithGrouping', { groupBy });
    if (needCode.includes(groupBy) && code === undefined) refuse('code', 'neededByGrouping', { groupBy });
    if (event === 'opens' && groupBy !== 'count' && groupBy !== 'timeseries') {
      refuse('event', 'opensGrouping');
    }
    if (groupBy !== 'excluded') return;
    for (const [field, value] of Object.entries({ interval, start, end })) {
      if (value !== undefined) refuse(field, 'notWithGrouping', { groupBy });
    }
  });

const whole = z.number().int();
const clicks = z.object({ clicks: whole, uniqueClicks: whole });
const opens = z.object({ opens: whole, firstOpens: whole });
const start = z.object({ start: z.iso.datetime() });
const group = (label: string) => z.array(z.object({ [label]: z.string(), clicks: whole }));

export const getAnalytics = endpoint({
  method: 'GET',
  path: '/analytics',
  tag: 'Analytics',
  summary: 'Get analytics',
  description: `Returns the clicks or app opens of a link or of the whole project, over time or grouped. A visitor counts as unique on each link at the first click, and again only after 90 days without a visit (the operator can choose another time). Groupings by platform, country and what else clicks say add up to the count of the same range. \`links\` lists the busiest links that are not deleted, at most ${limits.busiestLinks.shown}, among the ${limits.busiestLinks.candidates} busiest of the range. Of a day or an hour, at most ${mostNamed} and 250 links are named; the others count as \`other\`, and what is named later misses what it got before. A time series has at most 1,000 buckets. Clicks are in the figures within two seconds (the operator can choose up to 300); while a link gets more than the service can write at once, the rest comes later, at the time of the visit, and figures never show too many.`,
  query,
  result: z.union([
    z.array(z.object({ ...start.shape, ...clicks.shape })),
    z.array(z.object({ ...start.shape, ...opens.shape })),
    ...splitList.map(({ field }) => group(field)),
    z.array(z.object({ code: linkCode, clicks: whole })),
    z.array(z.object({ reason: z.string(), visits: whole })),
    clicks,
    opens,
  ]),
  timestamp: 'success',
  failures: {
    LINK_NOT_FOUND: 'No link with this code in the project.',
  },
  scope: 'links:read',
  uses: ['figures.find', 'links.firstAt', 'links.get', 'links.existing', 'series.find'],
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
