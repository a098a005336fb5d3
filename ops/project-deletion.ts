import { setTimeout as delay } from 'node:timers/promises';
import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type BatchWriteCommandOutput,
  type DynamoDBDocumentClient,
  ScanCommand,
  type ScanCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { apiKeyKey, associationKey, type Key, projectKey, projectPartitions } from '../core/table/keys.ts';
import { OperatorError } from './operator-error.ts';
import { documentClient } from './sdk-client.ts';
import type { Deployment } from './target.ts';

export interface DeletedProject {
  readonly id: string;
  /** Items that this call took out of the table. */
  readonly items: number;
}

/**
 * Deletes everything of a project: suspends it, so that no short URL redirects any more, however far the deletion
 * gets; then its keys, so that nothing is added; then whatever the table holds of it. What stays is that the id is taken, that its hosts belong to it until `domain remove` and lead nowhere, and that its generated codes are
 * never generated again. Repeating it goes on where another call stopped. Throws OperatorError for an unknown id.
 */
export const deleteProject = async (
  target: Deployment,
  id: string,
  progress: (line: string) => void,
): Promise<DeletedProject> => {
  if (!(await target.stores.projects.markDeleted(id, new Date())))
    throw new OperatorError(`There is no project ${id}`);
  progress(`The project ${id} is suspended; if its deletion is interrupted, repeat it`);
  for (const { keyId } of await target.stores.apiKeys.list(id)) await dropKey(target, keyId);
  for (const domain of await target.stores.domains.list())
    if (domain.project === id) await target.stores.domains.clearAddresses(domain);
  const client = documentClient(target.access);
  const sweep = { client, table: target.tableName, project: id };
  let items = 0;
  try {
    // Visits that were under way leave something behind a sweep; another one finds it.
    let found = 1;
    for (let sweeps = 0; found > 0 && sweeps < 5; sweeps += 1) {
      found = 0;
      for await (const keys of keysOf(sweep)) {
        await Promise.all(
          keys.filter(isApiKey).map(({ PK }) => dropKey(target, PK.slice(apiKeyKey('').PK.length))),
        );
        await deleteAll(
          sweep,
          keys.filter((key) => !isApiKey(key)),
        );
        found += keys.length;
        items += keys.length;
        if (keys.length > 0) progress(`${items.toLocaleString('en')} items deleted`);
      }
    }
    // Something may still come, which another deletion finds.
    if (found === 0) await target.stores.projects.endDeletion(id);
  } finally {
    client.destroy();
  }
  return { id, items };
};

const isApiKey = ({ SK }: Key): boolean => SK === apiKeyKey('').SK;

/**
 * Revokes a key before deleting it: the gateway may have cached it, and then the marks in its windows refuse
 * it.
 */
const dropKey = async ({ stores }: Deployment, keyId: string): Promise<void> => {
  await stores.apiKeys.revoke(keyId, new Date());
  await stores.apiKeys.remove(keyId);
};

interface Sweep {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly project: string;
}

/**
 * Reads the whole table, because nothing lists some items, such as deleted links. Leaves out the items that
 * reserve the id.
 */
async function* keysOf({ client, table, project }: Sweep): AsyncGenerator<Key[]> {
  const owned = projectPartitions(project);
  const own = projectKey(project);
  let start: ScanCommandInput['ExclusiveStartKey'];
  do {
    const page = await client.send(
      new ScanCommand({
        TableName: table,
        ProjectionExpression: 'PK, SK',
        FilterExpression: [
          '(PK = :associations AND SK = :project)',
          '(SK = :key AND #project = :project)',
          ...owned.map((_, i) => `(PK = :p${i} AND NOT (PK = :own AND SK = :ownSort))`),
          ...owned.map((_, i) => `begins_with(PK, :s${i})`),
        ].join(' OR '),
        ExpressionAttributeNames: { '#project': 'project' },
        ExpressionAttributeValues: {
          ':associations': associationKey(project).PK,
          ':project': project,
          ':key': apiKeyKey('').SK,
          ':own': own.PK,
          ':ownSort': own.SK,
          ...Object.fromEntries(
            owned.flatMap((key, i) => [
              [`:p${i}`, key],
              [`:s${i}`, `${key}#`],
            ]),
          ),
        },
        ConsistentRead: true,
        ExclusiveStartKey: start,
      }),
    );
    yield (page.Items ?? []) as unknown as Key[];
    start = page.LastEvaluatedKey;
  } while (start);
}

/** Items that one BatchWriteItem takes. */
const batchSize = 25;

const deleteAll = async ({ client, table }: Sweep, keys: readonly Key[]): Promise<void> => {
  for (let at = 0; at < keys.length; at += batchSize) {
    let open: BatchWriteCommandInput['RequestItems'] = {
      [table]: keys
        .slice(at, at + batchSize)
        .map((Key) => ({ DeleteRequest: { Key: { PK: Key.PK, SK: Key.SK } } })),
    };
    while (open?.[table]?.length) {
      const answer: BatchWriteCommandOutput = await client.send(
        new BatchWriteCommand({ RequestItems: open }),
      );
      open = answer.UnprocessedItems;
      // A table that leaves some for later is busy.
      if (open?.[table]?.length) await delay(100);
    }
  }
};
