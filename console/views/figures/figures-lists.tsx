import { isIncluded, splitNames, splits } from '../../../core/figures/splits.ts';
import { port } from '../../calls/port.ts';
import { Ranking } from '../../components/ranking.tsx';
import { country } from '../../format.ts';
import { A, hrefOf } from '../../router.tsx';
import { type LinkFiguresOutput, rankedNames } from './figure-names.ts';
import { type FiguresQuery, queryOfFigures, type SplitGroup } from './figures-query.ts';

interface FiguresListsProps {
  readonly figures: LinkFiguresOutput;
  readonly project: string;
  readonly code: string | undefined;
  readonly query: FiguresQuery;
  readonly hrefFor: (query: FiguresQuery) => string;
}

/** Clicks by name. Each name toggles its clicks over time; links and tags lead to their own views. */
export const FiguresLists = ({ figures, project, code, query, hrefFor }: FiguresListsProps) => (
  <div class="figures">
    {figures.clicks.links && figures.clicks.links.length > 0 && (
      <Ranking
        title="Busiest links"
        ranks={rankedNames(figures, 'links').map(({ name, count }) => ({
          name,
          count,
          label: (
            <A href={hrefOf(['p', project, 'links', name], queryOfFigures({ ...query, only: undefined }))}>
              {name}
            </A>
          ),
        }))}
      />
    )}
    {splitNames
      // A link without rules has no figures for them.
      .filter((group) => rankedNames(figures, group).some(({ name }) => isIncluded(splits[group], name)))
      .map((group) => (
        <Ranking
          key={group}
          title={splits[group].title}
          ranks={rankedNames(figures, group).map(({ name, count }) => {
            const isShown = query.only?.group === group && query.only.name === name;
            const only = isShown ? undefined : { group, name };
            return {
              name,
              isShown,
              label: port().isOperators ? (
                <A href={hrefFor({ ...query, only })} current={isShown}>
                  {nameIn(group, name)}
                </A>
              ) : (
                nameIn(group, name)
              ),
              count,
            };
          })}
        />
      ))}
    {figures.clicks.tags && figures.clicks.tags.length > 0 && (
      <Ranking
        title="Tags"
        note="A click counts under each tag of its link."
        whole={figures.clicks.count.clicks}
        ranks={rankedNames(figures, 'tags').map(({ name, count }) => ({
          name,
          count,
          label: <A href={hrefOf(['p', project], { tags: name })}>{name}</A>,
        }))}
      />
    )}
    {figures.clicks.excluded && figures.clicks.excluded.length > 0 && (
      <Ranking
        title="Visits that don’t count"
        unit="Visits"
        note={code && 'Of the link’s whole life.'}
        ranks={figures.clicks.excluded.map(({ reason: name, visits }) => ({
          name,
          label: words[name] ?? name,
          count: visits,
        }))}
      />
    )}
  </div>
);

export const nameIn = (group: SplitGroup, name: string): string => {
  if (group === 'countries') return country(name);
  if (splits[group].storesAll) return words[name] ?? name;
  // Names that users chose aren't translated.
  if (!isIncluded(splits[group], name)) return `No ${splits[group].field}`;
  return name === 'other' ? 'Other' : name;
};

const words: Readonly<Record<string, string>> = {
  ios: 'iOS',
  android: 'Android',
  web: 'Web',
  other: 'Other',
  direct: 'Direct or unknown',
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
  debug: 'Views of the debug page',
  head: 'HEAD requests',
  prefetch: 'Browser prefetches',
  'social-crawler': 'Crawlers of social networks',
  bot: 'Bots and scripts',
};
