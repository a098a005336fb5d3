import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { analyticsItemsOf } from '../../core/analytics/analytics-items.ts';
import { analyticsStore } from '../../core/analytics/analytics-store.ts';
import { dayMs } from '../../core/base/durations.ts';
import { OperatorError } from '../../ops/base/operator-error.ts';
import { temporaryFolder } from '../../ops/base/temporary-folder.ts';
import type { DeploymentAccess } from '../../ops/deployment/deployment.ts';
import { operatorTable } from '../../ops/deployment/sdk-client.ts';
import { setAssociation } from '../../ops/hosts/associations.ts';
import { createProject, renameProject } from '../../ops/projects/projects.ts';
import { importLinks } from '../../ops/transfer/import.ts';
import { clicksOfDay, showcase, showcaseDays } from './clicks.ts';

export const showcaseProject = 'showcase';

/** The project's name until it is complete. */
const unfinished = 'Showcase (not complete yet)';
const complete = 'Showcase';

const daysAtOnce = 10;

interface Loading {
  readonly progress: (text: string) => void;
  readonly signal: AbortSignal;
  /** Takes the project as soon as it is there. */
  readonly onProject?: (project: string) => Promise<void>;
}

/**
 * Creates a project with links and a year of clicks up to now, with the writers that count clicks. A complete one stays
 * as it is; an interrupted one is completed, and nothing counts twice.
 */
export const loadShowcase = async (deployment: DeploymentAccess, loading: Loading): Promise<void> => {
  const { stores } = deployment;
  const found = await stores.projects.find(showcaseProject);
  if (!found) await createProject(deployment, { id: showcaseProject, name: unfinished });
  await loading.onProject?.(showcaseProject);
  if (found && found.name !== unfinished) return;
  const project = await stores.projects.get(showcaseProject);
  const now = Date.parse(project.createdAt);
  await loadLinks(deployment, now - (now % dayMs));
  const clicks = await loadClicks(deployment, now / 1000, loading);
  if (loading.signal.aborted) return;
  await renameProject(deployment, showcaseProject, complete);
  loading.progress(
    `The project ${showcaseProject} has ${showcase.links.length} links and ${clicks.toLocaleString('en')} clicks of a year`,
  );
};

/** The links as rows of an import. `today` is the start of the day of their creation. */
export const showcaseRows = (today: number): object[] =>
  showcase.links.map(({ crowd, expired, ...link }) => ({
    ...link,
    apps: showcase.apps,
    createdAt: new Date(today - crowd.from * dayMs).toISOString(),
    ...(expired !== undefined && { expiresAt: new Date(today - expired * dayMs).toISOString() }),
  }));

const loadLinks = async (deployment: DeploymentAccess, today: number): Promise<void> => {
  await using folder = await temporaryFolder('showcase-');
  const file = path.join(folder.path, 'links.ndjson');
  const rows = showcaseRows(today).map((row) => JSON.stringify(row));
  await writeFile(file, rows.join('\n'));
  const ids = showcase.apps.map(({ id }) => id);
  const newId = () => ids.shift() ?? crypto.randomUUID();
  const request = { file, project: showcaseProject, newId };
  for await (const { code, result, reason } of importLinks(deployment, request))
    if (result === 'refused') throw new OperatorError(`${code}: ${reason}`);
  await setAssociation(deployment, {
    project: showcaseProject,
    ios: ['ABCDE12345.com.example.shop'],
    android: ['com.example.shop'],
    fingerprints: [Array.from({ length: 32 }, (_, i) => (i + 16).toString(16).toUpperCase()).join(':')],
  });
};

/**
 * Adds the records of some days at a time. Their positions are the same at every start, so records added before an
 * interruption are skipped. The days stay open until a link's first visit closes them. Resolves to the number of
 * clicks.
 */
const loadClicks = async (
  { access, tableName, figuresRetentionDays: retentionDays }: DeploymentAccess,
  now: number,
  { progress, signal }: Loading,
): Promise<number> => {
  const table = operatorTable(access, tableName);
  // With this clock, no day is over.
  const analytics = analyticsStore({ ...table, get: async () => undefined }, { clock: () => new Date(0) });
  let clicks = 0;
  for (let first = 0; first < showcaseDays && !signal.aborted; first += daysAtOnce) {
    const days = Math.min(daysAtOnce, showcaseDays - first);
    const records = Array.from({ length: days }, (_, i) =>
      clicksOfDay(showcaseProject, now, first + i),
    ).flat();
    const items = analyticsItemsOf({ shard: 'showcase', records }, retentionDays);
    await Promise.all(items.map((item) => analytics.add(item)));
    clicks += records.reduce((sum, record) => sum + record.clicks, 0);
    if ((first / daysAtOnce) % 6 === 5)
      progress(`Showcase: ${clicks.toLocaleString('en')} clicks of ${first + days} days`);
  }
  return clicks;
};
