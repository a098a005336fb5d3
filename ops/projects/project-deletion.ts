import { setTimeout as delay } from 'node:timers/promises';
import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type BatchWriteCommandOutput,
  type DynamoDBDocumentClient,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';
import type { ApiKey } from '../../core/api-keys/api-key.ts';
import {
  associationKey,
  type Key,
  partitions,
  projectKey,
  projectPartitions,
  sortKeys,
} from '../../core/table/keys.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import { documentClient } from '../deployment/sdk-client.ts';
import { noteTakedown } from '../deployment/takedown-record.ts';
import { noProject } from './projects.ts';

/** The longest run in milliseconds of a call admitted before its key was revoked: a bulk call has 28 seconds. */
const callsEndMs = 30_000;

/** The most sweeps, if each finds something, before the deletion gives up. */
const sweepsAtMost = 5;

/**
 * Deletes everything of a project: suspends it, so that no short URL redirects; deletes its keys and members, so that
 * nothing is added; then its items, until a sweep finds none. If its keys are in use or it has members, it sweeps again
 * once calls in progress must have ended. Afterwards, the project stays suspended, its id stays taken, its hosts belong
 * to it until `domain remove` and lead nowhere, and its generated codes are never generated again. A repeated call
 * continues an interrupted one. Resolves to the number of items that this call deleted; `complete` is false if items
 * still appeared at the end: the deletion must be repeated. Throws OperatorError for an unknown id.
 */
export const deleteProject = async (
  deployment: DeploymentAccess,
  id: string,
  progress: (line: string) => void,
  pause: (ms: number) => Promise<unknown> = delay,
) => {
  const now = new Date();
  if (!(await deployment.stores.projects.markDeleted(id, now))) throw noProject(id);
  await noteTakedown(deployment, { act: 'project delete', at: now.toISOString(), project: id });
  progress(`The project ${id} is suspended permanently; if its deletion is interrupted, repeat it`);
  const keys = await deployment.stores.apiKeys.list(id);
  for (const { keyId } of keys) await dropKey(deployment, keyId);
  const members = await deployment.stores.members.of(id);
  for (const { email } of members) await deployment.stores.members.remove(email, id, now);
  const revokedAt = Date.now();
  for (const domain of await deployment.stores.domains.list())
    if (domain.project === id) await deployment.stores.domains.clearAddresses(domain);
  const client = documentClient(deployment.access);
  const sweep = { client, table: deployment.tableName, project: id };
  let items = 0;
  const report = (count: number) => {
    items += count;
    progress(`${items.toLocaleString('en')} items deleted`);
  };
  try {
    let complete = await sweepUntilEmpty(deployment, sweep, report);
    const waitMs = revokedAt + callsEndMs - Date.now();
    // Use of a member's key isn't recorded.
    if ((keys.some(isInUse) || members.length > 0) && waitMs > 0) {
      progress(`Calls may still be in progress: checking once more in ${Math.ceil(waitMs / 1000)} seconds`);
      await pause(waitMs);
      complete = await sweepUntilEmpty(deployment, sweep, report);
    }
    if (!complete) progress(incomplete(id));
    return { id, items, complete };
  } finally {
    client.destroy();
  }
};

export const incomplete = (id: string) =>
  `The project ${id} still gets writes, and no longer redirects: repeat the deletion`;

/** Whether a key is in use. Uses are recorded once a day, and a call may begin before midnight. */
const isInUse = ({ lastUsedOn = '' }: ApiKey): boolean =>
  lastUsedOn >= new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10);

/**
 * Sweeps until nothing is found, because visits in progress may write after a sweep. False if the last one found items.
 */
const sweepUntilEmpty = async (
  deployment: DeploymentAccess,
  sweep: Sweep,
  report: (items: number) => void,
): Promise<boolean> => {
  for (let sweeps = 0; sweeps < sweepsAtMost; sweeps += 1) {
    let found = 0;
    for await (const keys of keysOf(sweep)) {
      const [apiKeys, others] = [keys.filter(isApiKey), keys.filter((key) => !isApiKey(key))];
      await Promise.all(apiKeys.map(({ PK }) => dropKey(deployment, PK.slice(partitions.apiKey.length))));
      await deleteAll(sweep, others);
      found += keys.length;
      if (keys.length > 0) report(keys.length);
    }
    if (found === 0) return true;
  }
  return false;
};

const isApiKey = ({ SK }: Key): boolean => SK === sortKeys.apiKey;

/** Revokes a key before deleting it: if the gateway has cached it, the marks in its windows refuse it. */
const dropKey = async ({ stores }: DeploymentAccess, keyId: string): Promise<void> => {
  await stores.apiKeys.revoke(keyId, new Date());
  await stores.apiKeys.remove(keyId);
};

interface Sweep {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly project: string;
}

/**
 * Keys of a project's items, except those that reserve the id. Reads the whole table, because some items, such as
 * deleted links, aren't listed anywhere.
 */
async function* keysOf({ client, table, project }: Sweep): AsyncGenerator<Key[]> {
  const owned = projectPartitions(project);
  const own = projectKey(project);
  const scan = {
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
      ':key': sortKeys.apiKey,
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
  };
  for await (const { Items = [] } of paginateScan({ client }, scan)) yield Items as unknown as Key[];
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
      // Unprocessed items mean that the table is busy.
      if (open?.[table]?.length) await delay(100);
    }
  }
};
