import { DeleteCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
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
import type { DeploymentAccess } from '../deployment/deployment.ts';
import { documentClient } from '../deployment/sdk-client.ts';

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
  const client = documentClient(access);
  const itemsOf = async ({ PK }: Key): Promise<Key[]> => {
    const keys: Key[] = [];
    const query = {
      TableName: tableName,
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': PK },
      ProjectionExpression: 'PK, SK',
      ConsistentRead: true,
    };
    for await (const { Items = [] } of paginateQuery({ client }, query))
      keys.push(...(Items as unknown as Key[]));
    return keys;
  };
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
  const found = (await Promise.all(partitions.map(itemsOf))).flat();
  const single = [associationKey(project), ...keyIds.map(apiKeyKey), ...codes.map(codeKey)];
  const all = new Map([...found, ...single].map((key) => [`${key.PK} ${key.SK}`, key]));
  for (const key of all.values()) {
    await client.send(new DeleteCommand({ TableName: tableName, Key: { PK: key.PK, SK: key.SK } }));
  }
  client.destroy();
  return `${all.size} items`;
};
