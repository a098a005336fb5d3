import { dimensionTexts } from '../../../core/analytics/dimension-texts.ts';
import { dimensionNames, dimensions, isIncluded } from '../../../core/analytics/dimensions.ts';
import { excludedName, shownName } from '../../../core/analytics/shown-names.ts';
import { useCall } from '../../calls/use-call.ts';
import { Ranking } from '../../components/ranking.tsx';
import { A, hrefOf } from '../../router.tsx';
import { type LinkAnalyticsOutput, rankedNames } from './analytics-names.ts';
import { type AnalyticsQuery, queryOfAnalytics } from './analytics-query.ts';

interface AnalyticsListsProps {
  readonly analytics: LinkAnalyticsOutput;
  readonly project: string;
  readonly code: string | undefined;
  readonly query: AnalyticsQuery;
  readonly hrefFor: (query: AnalyticsQuery) => string;
}

/** Clicks by name. Each name toggles its clicks over time; links and tags lead to their own views. */
export const AnalyticsLists = ({ analytics, project, code, query, hrefFor }: AnalyticsListsProps) => {
  // A link's analytics have no tags.
  const ofLink = query.only?.group === 'tags' ? { ...query, only: undefined } : query;
  return (
    <div class="analytics">
      {analytics.clicks.links && analytics.clicks.links.length > 0 && (
        <Ranking
          title="Busiest links"
          ranks={rankedNames(analytics, 'links').map(({ name, count }) => ({
            name,
            count,
            label: (
              <A
                href={hrefOf(['p', project, 'links', name], {
                  tab: 'analytics',
                  ...queryOfAnalytics(ofLink),
                })}
              >
                <LinkName project={project} code={name} />
              </A>
            ),
          }))}
        />
      )}
      {dimensionNames
        // A link without rules has no analytics for them.
        .filter((group) =>
          rankedNames(analytics, group).some(({ name }) => isIncluded(dimensions[group], name)),
        )
        .map((group) => (
          <Ranking
            key={group}
            title={dimensionTexts[group].title}
            ranks={rankedNames(analytics, group).map(({ name, count }) => {
              const isShown = query.only?.group === group && query.only.name === name;
              const only = isShown ? undefined : { group, name };
              return {
                name,
                isShown,
                label: (
                  <A href={hrefFor({ ...query, only })} current={isShown}>
                    {shownName(group, name)}
                  </A>
                ),
                count,
              };
            })}
          />
        ))}
      {analytics.clicks.tags && analytics.clicks.tags.length > 0 && (
        <Ranking
          title="Tags"
          note="A click counts under each tag of its link."
          whole={analytics.clicks.count.clicks}
          ranks={rankedNames(analytics, 'tags').map(({ name, count }) => ({
            name,
            count,
            label: <A href={hrefOf(['p', project], { tags: name })}>{name}</A>,
          }))}
        />
      )}
      {analytics.clicks.excluded && analytics.clicks.excluded.length > 0 && (
        <Ranking
          title="Visits that don’t count"
          unit="Visits"
          note={code && 'Of the link’s whole life.'}
          ranks={analytics.clicks.excluded.map(({ reason: name, visits }) => ({
            name,
            label: excludedName(name),
            count: visits,
          }))}
        />
      )}
    </div>
  );
};

/** A link's name, or its code until that is known. */
export const useLinkName = (project: string, code: string | undefined): string =>
  useCall('link', code === undefined ? undefined : { project, code }, code).data?.name ?? code ?? '';

const LinkName = ({ project, code }: { project: string; code: string }) => (
  <bdi>{useLinkName(project, code)}</bdi>
);
