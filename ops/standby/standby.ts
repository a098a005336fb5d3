import { randomUUID } from 'node:crypto';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { copyQueue } from '../../core/standby/copy-queue.ts';
import { behindSecondsOf, type Home } from '../../core/standby/home.ts';
import { connect } from '../../core/table/connection.ts';
import { hiddenKey, homeKey, type LinkId, linkKey, partitions, sortKeys } from '../../core/table/keys.ts';
import { itemsOf } from '../../core/table/ranges.ts';
import type { Item } from '../../core/table/table.ts';
import { OperatorError } from '../base/operator-error.ts';
import { within } from '../base/within.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import { queueCounts } from '../deployment/queue-calls.ts';
import { operatorTable } from '../deployment/sdk-client.ts';
import { operatorAccess } from '../deployment/service-access.ts';
import type { Standby } from '../deployment/standby-access.ts';
import { noLink } from '../links/links.ts';
import { blockLink } from '../takedowns/takedowns.ts';
import { type Synced, type Syncing, syncCopy } from './sync.ts';

/** Shows the second region. Without the first one, only `behindSeconds` is unknown. */
export const showStandby = async (standby: Standby, home: () => Promise<DeploymentAccess>) => {
  const [links, behindSeconds, waiting, denials] = await Promise.all([
    countLinks(standby),
    behindOf(standby, home),
    queueCounts({ name: standby.clicksQueueUrl, services: standby.services }),
    denialsIn(standby),
  ]);
  const { region } = standby;
  return { region, links, behindSeconds, clicksWaiting: waiting.messages, denied: denials.length };
};

/** The longest wait for the first region, which may be away. */
const patienceSeconds = 10;

/** How far the copy is behind; null if the first region can't be read, and before the first beat. */
const behindOf = async ({ copy }: Standby, home: () => Promise<DeploymentAccess>): Promise<number | null> => {
  const state = await copy.get(homeKey);
  // Commands may have stored `stopped` before the first beat.
  if (state?.copiedAt === undefined) return null;
  try {
    await within(
      patienceSeconds,
      home().then(({ stores }) => stores.destinations.list()),
    );
  } catch {
    return null;
  }
  return behindSecondsOf(state as unknown as Home, Date.now());
};

const countLinks = async ({ services, tableName: TableName }: Standby): Promise<number> => {
  const client = new DynamoDBClient(services.client);
  const input = {
    TableName,
    Select: 'COUNT',
    FilterExpression: 'begins_with(PK, :links) AND SK = :link AND #status <> :deleted',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':links': { S: partitions.link },
      ':link': { S: sortKeys.link },
      ':deleted': { S: 'DELETED' },
    },
  } as const;
  try {
    let links = 0;
    for await (const { Count = 0 } of paginateScan({ client }, input)) links += Count;
    return links;
  } finally {
    client.destroy();
  }
};

/** Makes the second region answer visitors with the page that tries again, or ends that. */
export const setStopped = async ({ region, copy }: Standby, isStopped: boolean) => {
  await copy.update({
    Key: homeKey,
    UpdateExpression: isStopped ? 'SET stopped = :true' : 'REMOVE stopped',
    ...(isStopped && { ExpressionAttributeValues: { ':true': true } }),
  });
  return { region, stopped: isStopped };
};

/** Whether the second region is stopped and all of its clicks are counted, so that it can be removed. */
export const isOver = async ({ copy, clicksQueueUrl: name, services }: Standby): Promise<boolean> => {
  const [home, { messages }] = await Promise.all([copy.get(homeKey), queueCounts({ name, services })]);
  return home?.stopped === true && messages === 0;
};

/** Hides a link in the second region. Throws OperatorError if the copy has no such link. */
export const hideLink = async ({ copy }: Standby, { project, code }: LinkId, reason?: string) => {
  if (!isLiving(await copy.get(linkKey(project, code)))) throw noLink({ project, code });
  const deniedAt = new Date().toISOString();
  await copy.put({ Item: { ...hiddenKey({ project, code }), project, code, deniedAt, reason } });
  return { project, code, deniedAt };
};

interface Denial extends LinkId {
  readonly deniedAt: string;
  readonly reason?: string;
}

// They were written by `hideLink`.
const denialsIn = async ({ copy }: Standby): Promise<Denial[]> =>
  (await copy.query(itemsOf(partitions.hidden))) as unknown as Denial[];

/** Blocks denied links in the first region, makes the copy equal, and removes denials that the copy now covers. */
export const syncStandby = async (
  standby: Standby,
  home: DeploymentAccess,
  { progress, pause }: Pick<Syncing, 'progress' | 'pause'>,
): Promise<Synced> => {
  const { copy, tableName, services } = standby;
  const { copyKeys } = home;
  if (!copyKeys) throw new OperatorError('The first region has no copier: deploy it with standby');
  const denials = await denialsIn(standby);
  for (const denial of denials) await blockDenied(home, denial);
  const whole = operatorTable(home.access, home.tableName);
  const send = copyQueue(connect(await operatorAccess('sqs', copyKeys.services)), copyKeys.name);
  const synced = await syncCopy({
    home: { name: home.tableName, access: home.access, table: whole },
    copy: { name: tableName, access: services.client, table: copy },
    copyKeys: (keys) => send(keys.map((key) => ({ key, id: randomUUID() }))),
    progress,
    pause,
  });
  for (const { project, code } of denials) {
    const link = await copy.get(linkKey(project, code));
    if (!isLiving(link) || link?.blockedAt !== undefined)
      await copy.delete({ Key: hiddenKey({ project, code }) });
  }
  return synced;
};

const blockDenied = async (home: DeploymentAccess, { project, code, deniedAt, reason }: Denial) => {
  const link = (await home.stores.linkImports.find(project, [code])).get(code);
  if (!link || link.status === 'DELETED' || link.blockedAt !== undefined) return;
  await blockLink(home, { project, code }, reason ?? `denied in the second region at ${deniedAt}`);
};

const isLiving = (link: Item | undefined): boolean => link !== undefined && link.status !== 'DELETED';
