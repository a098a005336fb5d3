import { projectStore } from '../../core/projects/project-store.ts';
import { analyticsKey } from '../../core/table/analytics-keys.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import { operatorTable } from '../deployment/sdk-client.ts';

/**
 * Whether an item of analytics is in the form of 1.0.0, which this version would misread: it has additions (`q`), or
 * another number of them (`s`) than a later version has taken over (`k`).
 */
const isOlder = (item: Readonly<Record<string, unknown>>): boolean =>
  'q' in item || ('s' in item && item.s !== item.k);

/** The step before a stack's upgrade to this version, in one line; undefined if none. Reads one item per project. */
export const stepFromOlder = async ({
  access,
  tableName,
}: Pick<DeploymentAccess, 'access' | 'tableName'>): Promise<string | undefined> => {
  const table = operatorTable(access, tableName);
  const projects = await projectStore(table).list();
  const analytics = await table.batchGet(projects.map(({ id: project }) => analyticsKey({ project })));
  return analytics.some(isOlder)
    ? 'The table has analytics of 1.0.0: deploy 1.2 first (docs/upgrade.md)'
    : undefined;
};
