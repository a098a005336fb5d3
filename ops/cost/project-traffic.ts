import { unnamed } from '../../core/analytics/analytics.ts';
import { dayMs } from '../../core/base/durations.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findProject } from '../projects/projects.ts';
import { monthSeconds } from './inputs.ts';
import type { LinkGroup, Traffic } from './traffic.ts';

const days = (monthSeconds * 1000) / dayMs;

/**
 * Traffic of a project's links in the last thirty whole days (UTC), by link as far as the days name them. Throws
 * OperatorError if there is no such project.
 */
export const projectTraffic = async (
  deployment: Deployment,
  project: string,
): Promise<{ readonly traffic: Traffic; readonly links: number }> => {
  await findProject(deployment, project);
  const { timeseries, links } = deployment.stores;
  const now = new Date();
  const end = Math.floor(now.getTime() / dayMs) * dayMs;
  const [found, count] = await Promise.all([
    timeseries.find({ project }, [{ unit: 'dayByLink', start: end - days * dayMs, end }], now),
    links.count(project),
  ]);
  const clicks = new Map<string, number>();
  for (const { groups } of found)
    for (const [code, some] of Object.entries(groups('links')))
      clicks.set(code, (clicks.get(code) ?? 0) + some);
  return { traffic: { projects: 1, groups: groupsOf(clicks, count) }, links: count };
};

const groupsOf = (clicks: ReadonlyMap<string, number>, links: number): LinkGroup[] => {
  const named = [...clicks].filter(([code]) => code !== unnamed);
  const rest = clicks.get(unnamed) ?? 0;
  const others = Math.max(1, links - named.length);
  const anHour = (some: number) => (some * 3600) / monthSeconds;
  return [
    ...named.map(([, some]) => ({ links: 1, clicksAnHour: anHour(some) })),
    ...(rest > 0 ? [{ links: others, clicksAnHour: anHour(rest / others) }] : []),
  ];
};
