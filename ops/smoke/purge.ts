import { analyticsKey, dayKey, excludedKey } from '../../core/table/analytics-keys.ts';
import {
  apiKeyKey,
  associationKey,
  codeKey,
  type Key,
  linkKey,
  linkListOf,
  projectAppsKey,
  projectKey,
} from '../../core/table/keys.ts';
import { itemsOf } from '../../core/table/ranges.ts';
import type { Item } from '../../core/table/table.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import { operatorTable } from '../deployment/sdk-client.ts';

export interface Leftovers {
  readonly project: string;
  readonly keyIds: readonly string[];
  readonly codes: readonly string[];
}

/**
 * Deletes every item of a project, bypassing the service, which keeps codes and ids reserved. Visitors' items
 * and hourly counters are left to their TTL: nothing lists them.
 */
export const purge = async (
  { tableName, access }: DeploymentAccess,
  { project, keyIds, codes }: Leftovers,
): Promise<string> => {
  const table = operatorTable(access, tableName);
  const partitions = [
    projectKey(project),
    projectAppsKey(project),
    linkListOf(project),
    analyticsKey({ project }),
    ...codes.flatMap((code) => [
      linkKey(project, code),
      excludedKey(project, code),
      dayKey('day', { project, code }, 0),
    ]),
  ];
  const found = (await Promise.all(partitions.map(({ PK }) => table.query(itemsOf(PK))))).flat();
  const single = [associationKey(project), ...keyIds.map(apiKeyKey), ...codes.map(codeKey)];
  // Every item of a table has a key.
  const keys = [...(found as (Item & Key)[]), ...single].map(({ PK, SK }) => ({ PK, SK }));
  const all = new Map(keys.map((key) => [`${key.PK} ${key.SK}`, key]));
  for (const Key of all.values()) await table.delete({ Key });
  return `${all.size} items`;
};
