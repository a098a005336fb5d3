import { useMemo } from 'preact/hooks';
import type { Output } from '../client.ts';
import { command } from '../command-line.ts';
import { country, number } from '../format.ts';
import { Command } from '../parts/command.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Empty } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { Plot } from '../parts/plot.tsx';
import { Ranking } from '../parts/ranking.tsx';
import { A, hrefOf, navigate } from '../router.tsx';
import { useCall } from '../use-call.ts';

type Figures = Output<'figures'>;

const intervals = [
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['1y', '1 year'],
  ['all', 'All time'],
] as const;
type Interval = (typeof intervals)[number][0];

export const ProjectFiguresView = ({ project, query }: { project: string; query: URLSearchParams }) => (
  <Page title={`Figures of ${project}`} heading="Figures">
    <FiguresPanel project={project} query={query} />
  </Page>
);

interface FiguresProps {
  readonly project: string;
  readonly code?: string;
  readonly query: URLSearchParams;
}

/** Clicks and visitors of a link, or of a whole project, in a range of time. */
export const FiguresPanel = ({ project, code, query }: FiguresProps) => {
  const interval: Interval = intervals.find(([one]) => one === query.get('interval'))?.[0] ?? '30d';
  const figures = useCall(
    'figures',
    { project, interval, ...(code !== undefined && { code }) },
    `${project} ${code}`,
  );
  const path = code === undefined ? ['p', project, 'figures'] : ['p', project, 'links', code];
  return (
    <section class="stack" aria-label="Figures">
      <fieldset class="ranges">
        <legend class="unseen">Range of time</legend>
        {intervals.map(([one, words]) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === interval}
            onClick={() => navigate(hrefOf(path, { interval: one === '30d' ? '' : one }))}
          >
            {words}
          </button>
        ))}
      </fieldset>
      <Loaded from={figures} what="Reading figures">
        {(data) => <Shown figures={data} project={project} code={code} />}
      </Loaded>
      <Command
        line={code === undefined ? undefined : command('link figures', [code], { project })}
        api={`GET /1.0/analytics?groupBy=timeseries&interval=${interval}${code === undefined ? '' : `&code=${code}`}`}
      />
    </section>
  );
};

interface ShownProps {
  readonly figures: Figures;
  readonly project: string;
  readonly code: string | undefined;
}

const names = ['Clicks', 'Visitors'];

const Shown = ({ figures, project, code }: ShownProps) => {
  const points = useMemo(
    () =>
      figures.series.map(({ start, clicks, uniqueClicks }) => ({ start, values: [clicks, uniqueClicks] })),
    [figures],
  );
  const { count, opens } = figures;
  return (
    <div class="stack">
      <dl class="totals">
        <Total name="Clicks" value={count.clicks} />
        <Total name="Visitors" value={count.uniqueClicks} />
        {opens.opens > 0 && <Total name="App opens" value={opens.opens} />}
        {opens.firstOpens > 0 && <Total name="First opens" value={opens.firstOpens} />}
      </dl>
      {figures.groups.platforms.length === 0 ? (
        <Empty title="No clicks in this range">
          <p>
            Clicks show here within two seconds. Open a short URL in a browser; curl and crawlers are no
            clicks.
          </p>
        </Empty>
      ) : (
        <div class="card">
          <Plot points={points} names={names} granularity={figures.granularity} />
        </div>
      )}
      <div class="figures">
        {figures.links && figures.links.length > 0 && (
          <Ranking
            title="Busiest links"
            ranks={figures.links.map(({ name, clicks }) => ({
              name,
              count: clicks,
              label: <A href={hrefOf(['p', project, 'links', name])}>{name}</A>,
            }))}
          />
        )}
        {groups
          // A link without rules has nothing to tell of them.
          .filter(([group]) => figures.groups[group].some(({ name }) => group !== 'rules' || name !== 'none'))
          .map(([group, title]) => (
            <Ranking
              key={group}
              title={title}
              ranks={figures.groups[group].map(({ name, clicks }) => ({
                name,
                label: group === 'countries' ? country(name) : (words[name] ?? name),
                count: clicks,
              }))}
            />
          ))}
        {figures.excluded && figures.excluded.length > 0 && (
          <Ranking
            title="No clicks"
            unit="Visits"
            note={code && 'Visits of the link’s whole life that count as no click.'}
            ranks={figures.excluded.map(({ name, visits }) => ({
              name,
              label: words[name] ?? name,
              count: visits,
            }))}
          />
        )}
      </div>
    </div>
  );
};

const Total = ({ name, value }: { name: string; value: number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{number(value)}</dd>
  </div>
);

const groups = [
  ['platforms', 'Platforms'],
  ['countries', 'Countries'],
  ['referrers', 'Referrers'],
  ['browsers', 'Browsers'],
  ['os', 'Systems'],
  ['triggers', 'By link or QR code'],
  ['rules', 'By rule'],
] as const;

const words: Readonly<Record<string, string>> = {
  ios: 'iOS',
  android: 'Android',
  web: 'Web',
  other: 'Other',
  direct: 'Direct, or not said',
  link: 'Link',
  qr: 'QR code',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
  chromeos: 'ChromeOS',
  chrome: 'Chrome',
  safari: 'Safari',
  firefox: 'Firefox',
  edge: 'Edge',
  'samsung-internet': 'Samsung Internet',
  instagram: 'Instagram',
  facebook: 'Facebook',
  tiktok: 'TikTok',
  debug: 'Looks at the debug page',
  head: 'HEAD requests, which only look',
  prefetch: 'Browsers that looked ahead',
  'social-crawler': 'Crawlers of social networks',
  bot: 'Bots and scripts',
};
