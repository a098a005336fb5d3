import type { VNode } from 'preact';
import { shownName } from '../../../core/analytics/shown-names.ts';
import type { Granularity } from '../../../core/analytics/time-range.ts';
import { dayMs } from '../../../core/base/durations.ts';
import type { Rule } from '../../../core/rules/rule.ts';
import { useCall } from '../../calls/use-call.ts';
import { type CommandLine, commandFor } from '../../command-line.ts';
import { CommandHint } from '../../components/command.tsx';
import { Fact } from '../../components/fact.tsx';
import { Loaded, Working } from '../../components/loaded.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Plot, type PlotProps, type Series } from '../../components/plot.tsx';
import { day, moment, number } from '../../format.ts';
import { hrefOf, navigate } from '../../router.tsx';
import { saveFile } from '../../save-file.ts';
import { changesOf } from '../links/history.tsx';
import { groupsCsv, seriesCsv } from './analytics-csv.ts';
import { AnalyticsFilters } from './analytics-filters.tsx';
import { AnalyticsLists, useLinkName } from './analytics-lists.tsx';
import { type LinkAnalyticsOutput, rankedNames } from './analytics-names.ts';
import { type AnalyticsQuery, analyticsQueryOf, apiRange, queryOfAnalytics } from './analytics-query.ts';
import { AnalyticsRange } from './analytics-range.tsx';
import { SplitResults } from './split-results.tsx';

export const ProjectAnalyticsView = ({ project, query }: { project: string; query: URLSearchParams }) => (
  <Page title="Analytics">
    <AnalyticsPanel project={project} query={query} />
  </Page>
);

interface AnalyticsProps {
  readonly project: string;
  readonly code?: string;
  /** The link's name. */
  readonly title?: string;
  readonly query: URLSearchParams;
  /** The link's rules. */
  readonly rules?: readonly Rule[] | undefined;
}

/** Clicks and visitors of a link or a whole project in a time range. */
export const AnalyticsPanel = ({ project, code, title, query, rules = [] }: AnalyticsProps) => {
  const asked = analyticsQueryOf(query);
  const analytics = useCall(
    'analytics',
    { project, code, ...apiRange(asked), only: asked.only, compare: asked.compare },
    `${project} ${code}`,
  );
  const { versus } = asked;
  const range = { project, ...apiRange(asked), only: asked.only };
  const other = useCall('analytics', versus ? { ...range, code: versus } : undefined, versus);
  const names = { link: title, versus: useLinkName(project, versus) };
  const history = useCall(
    'history',
    code === undefined ? undefined : { project, code, limit: 50 },
    code,
  ).data;
  const path = code === undefined ? ['p', project, 'analytics'] : ['p', project, 'links', code];
  const hrefFor = (next: AnalyticsQuery) =>
    hrefOf(path, { ...(code !== undefined && { tab: 'analytics' }), ...queryOfAnalytics(next) });
  return (
    <section class="stack" aria-label="Analytics" id="analytics">
      <AnalyticsRange query={asked} onQuery={(next) => navigate(hrefFor(next))} />
      <Loaded from={analytics} what="Reading analytics">
        {(data) => (
          <div class="stack">
            <AnalyticsFilters analytics={data} {...{ project, code, names, hrefFor }} query={asked} />
            <Shown
              analytics={data}
              query={asked}
              other={versus ? { name: names.versus, analytics: other.data } : undefined}
              changes={history ? changesOf(history) : []}
              name={[project, ...(code === undefined ? [] : [code])].join('-')}
              isOld={analytics.loading || (versus !== undefined && other.loading)}
            />
            <SplitResults rules={rules} decided={rankedNames(data, 'rules')} />
            <Folded isFolded={code !== undefined && !asked.only && rankedNames(data, 'platforms').length > 0}>
              <AnalyticsLists
                analytics={data}
                project={project}
                code={code}
                query={asked}
                hrefFor={hrefFor}
              />
            </Folded>
          </div>
        )}
      </Loaded>
      <CommandHint
        line={lineOf(asked, project, code)}
        api={`GET /1.0/analytics?groupBy=timeseries&${new URLSearchParams(apiRange(asked))}${code === undefined ? '' : `&code=${code}`}`}
      />
    </section>
  );
};

/** Collapsed on phones, so that the content after a link's analytics isn't a dozen screens away. */
const Folded = ({ isFolded, children }: { isFolded: boolean; children: VNode }) =>
  isFolded && matchMedia('(max-width: 56rem)').matches ? (
    <details class="card">
      <summary>By platform, country, referrer and more</summary>
      {children}
    </details>
  ) : (
    children
  );

/** The command for the same range. It supports only a number of last days. */
const lineOf = (
  { interval, days }: AnalyticsQuery,
  project: string,
  code: string | undefined,
): CommandLine | undefined => {
  const last = days ? undefined : lastDays[interval];
  if (last === undefined) return undefined;
  return code === undefined
    ? commandFor('project analytics', [project], { days: last })
    : commandFor('link analytics', [code], { project, days: last });
};

const lastDays: Partial<Record<AnalyticsQuery['interval'], string>> = {
  '7d': '7',
  '30d': '30',
  '90d': '90',
  '1y': '365',
};

interface ShownProps {
  readonly analytics: LinkAnalyticsOutput;
  readonly query: AnalyticsQuery;
  readonly other: OtherLink | undefined;
  readonly changes: PlotProps['changes'];
  /** The project's id, and the link's code, for file names. */
  readonly name: string;
  /** Whether these are of another range than the one that is loading. */
  readonly isOld: boolean;
}

/** Another link on the same chart, with its clicks once they are read. */
interface OtherLink {
  readonly name: string;
  readonly analytics: LinkAnalyticsOutput | undefined;
}

const csvs = [
  ['CSV over time', 'clicks', seriesCsv],
  ['CSV of the lists', 'lists', groupsCsv],
] as const;

const Shown = ({ analytics, query, other, changes, name, isOld }: ShownProps) => {
  const { series, points } = drawnOf(analytics, other);
  const { only } = query;
  const file = (list: string) => `${[name, list, ...daysIn(analytics)].join('-')}.csv`;
  return (
    <>
      {isOld && <Working what="Reading analytics" />}
      <Totals analytics={analytics} other={other} />
      {only && analytics.only && (
        <p class="soft">
          Only clicks of <b>{shownName(only.group, only.name)}</b>. Visitors aren’t counted by it, and the
          lists below have all clicks.
        </p>
      )}
      {rankedNames(analytics, 'platforms').length === 0 && !analytics.before ? (
        <Empty title="No clicks in this range">
          <p>
            Clicks show here within two seconds. Open a short URL in a browser, or choose a longer range; curl
            and crawlers don’t count.
          </p>
        </Empty>
      ) : (
        <div class="card">
          <Plot points={points} series={series} granularity={granularityOf(analytics)} changes={changes} />
          <p class="buttons start downloads">
            {csvs.map(([label, list, csvOf]) => (
              <button
                key={list}
                type="button"
                class="small"
                disabled={isOld}
                onClick={() => saveFile(file(list), csvOf(analytics))}
              >
                {label}
              </button>
            ))}
          </p>
        </div>
      )}
    </>
  );
};

/** The first and the last day or month, for a file's name. */
const daysIn = (analytics: LinkAnalyticsOutput): readonly string[] => {
  const { timeseries } = analytics.clicks;
  const nameOf = ({ start }: { readonly start: string }) =>
    start.slice(0, granularityOf(analytics) === 'month' ? 7 : 10);
  const [first, last] = [timeseries[0], timeseries.at(-1)];
  return first && last ? [nameOf(first), 'to', nameOf(last)] : [];
};

/** The plot's series and points, including those that are only text. */
const drawnOf = (
  { clicks: { timeseries }, only, before, opens }: LinkAnalyticsOutput,
  other: OtherLink | undefined,
) => {
  const series = only ?? timeseries;
  const earlier = before?.only ?? before?.clicks.timeseries;
  // All time begins with each link's creation.
  const others = new Map(seriesOf(other?.analytics).map(({ start, clicks }) => [start, clicks]));
  const shown = [
    { name: 'Clicks', mark: 'bar', of: (i: number) => series[i]?.clicks },
    !only && { name: 'Visitors', mark: 'part', of: (i: number) => timeseries[i]?.uniqueClicks },
    other && {
      name: `Clicks of ${other.name}`,
      mark: 'line',
      of: (i: number) => others.get(series[i]?.start ?? ''),
    },
    earlier && { name: 'Clicks before', mark: 'line', of: (i: number) => earlier[i]?.clicks },
    !only && opens.count.opens > 0 && { name: 'App opens', of: (i: number) => opens.timeseries[i]?.opens },
  ].filter((one) => one !== false && one !== undefined);
  return {
    series: shown as readonly Series[],
    points: timeseries.map(({ start }, i) => ({
      start,
      before: earlier?.[i]?.start,
      values: shown.map(({ of }) => of(i) ?? 0),
    })),
  };
};

/** Clicks over time, with a filter only its own. */
const seriesOf = (analytics: LinkAnalyticsOutput | undefined) =>
  analytics?.only ?? analytics?.clicks.timeseries ?? [];

const clicksIn = (analytics: LinkAnalyticsOutput | undefined): number =>
  seriesOf(analytics).reduce((sum, { clicks }) => sum + clicks, 0);

const Totals = ({ analytics, other }: Pick<ShownProps, 'analytics' | 'other'>) => {
  const { only, before } = analytics;
  const [count, opens] = [analytics.clicks.count, analytics.opens.count];
  const [countBefore, opensBefore] = [before?.clicks.count, before?.opens.count];
  const ofOther = other && (
    <Total name={`Clicks of ${other.name}`} value={clicksIn(other.analytics)} before={undefined} />
  );
  const clicksBefore = only ? before && clicksIn({ ...analytics, ...before }) : countBefore?.clicks;
  return (
    <dl class="totals">
      <Total name="Clicks" value={only ? clicksIn(analytics) : count.clicks} before={clicksBefore} />
      {ofOther}
      {!only && <Total name="Visitors" value={count.uniqueClicks} before={countBefore?.uniqueClicks} />}
      {!only && opens.opens > 0 && <Total name="App opens" value={opens.opens} before={opensBefore?.opens} />}
      {!only && opens.firstOpens > 0 && (
        <Total name="First opens" value={opens.firstOpens} before={opensBefore?.firstOpens} />
      )}
      <Busiest analytics={analytics} />
    </dl>
  );
};

/** The API chooses the granularity by the range; it follows from the buckets. */
const granularityOf = ({
  clicks: {
    timeseries: [first, second],
  },
}: LinkAnalyticsOutput): Granularity => {
  const ms = Date.parse(second?.start ?? '') - Date.parse(first?.start ?? '');
  if (Number.isNaN(ms) || ms === dayMs) return 'day';
  return ms < dayMs ? 'hour' : 'month';
};

const whenOf = (start: string, granularity: Granularity): string => {
  if (granularity === 'hour') return moment(start);
  return granularity === 'day' ? day(start.slice(0, 10)) : start.slice(0, 7);
};

/** The hour, day or month with the most clicks. */
const Busiest = ({ analytics }: { analytics: LinkAnalyticsOutput }) => {
  const granularity = granularityOf(analytics);
  const [first] = seriesOf(analytics).toSorted((one, other) => other.clicks - one.clicks);
  if (!first || first.clicks === 0) return null;
  return (
    <Fact name={`Busiest ${granularity}`} note={whenOf(first.start, granularity)}>
      {number(first.clicks)}
    </Fact>
  );
};

interface TotalProps {
  readonly name: string;
  readonly value: number;
  readonly before: number | undefined;
}

const Total = ({ name, value, before }: TotalProps) => (
  <Fact name={name} note={before !== undefined && changeOf(value, before)}>
    {number(value)}
  </Fact>
);

const changeOf = (value: number, before: number): string => {
  if (before === 0) return 'none before';
  const percent = Math.round((value / before - 1) * 100);
  const sign = percent > 0 ? '▲ +' : percent < 0 ? '▼ −' : '±';
  return `${sign}${number(Math.abs(percent))} %, ${number(before)} before`;
};
