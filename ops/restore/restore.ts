import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { MobileApp } from '../../core/apps/mobile-app.ts';
import type { Link } from '../../core/links/link.ts';
import { enlist } from '../../core/links/link-list.ts';
import { notingTags, tagParts } from '../../core/links/link-tags.ts';
import { changeNote } from '../../core/links/link-writes.ts';
import { linkKey, listedLinkKey, partitions } from '../../core/table/keys.ts';
import { met, type Table } from '../../core/table/table.ts';
import { putNew } from '../../core/table/update.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import { operatorTable } from '../deployment/sdk-client.ts';
import { operator } from '../links/links.ts';
import { replayTakedowns } from '../takedowns/takedown-replay.ts';
import {
  type Circumstances,
  deletedProjects,
  type RestoreKind,
  restoreKindOf,
  type StoredItem,
} from './restored-items.ts';
import { type RestoredTakedowns, restoredTakedowns } from './restored-takedowns.ts';

export interface Restored {
  readonly from: string;
  /** Missing items that were restored. */
  restored: number;
  /** Items that exist in the live table, with any content. */
  kept: number;
  /** Visitors, counters of hours, expired items, and items of projects that were deleted since. */
  leftOut: number;
}

interface Copy extends Circumstances {
  readonly live: Table;
  readonly deployment: DeploymentAccess;
  readonly client: DynamoDBClient;
  readonly from: string;
  readonly takedowns: RestoredTakedowns;
}

interface Request {
  readonly from: string;
  readonly now: Date;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Copies missing items from a restored backup into the live table. It overwrites nothing, so it can be repeated, also
 * after an interruption. Visitors are left out, because the table's stream would count their items as new clicks, in
 * addition to the restored analytics. Links come after their analytics, and items that admit clients and visitors come
 * last, so that nobody uses incomplete data. Takedowns stay as operators left them, regardless of the backup.
 */
export const restore = async (
  deployment: DeploymentAccess,
  { from, now, pause = delay }: Request,
  progress: (line: string) => void,
): Promise<Restored> => {
  if (from === deployment.tableName) throw new OperatorError(`${from} is the live table itself`);
  const client = new DynamoDBClient(deployment.access);
  const live = operatorTable(deployment.access, deployment.tableName);
  const recorded = (await deployment.takedowns?.all()) ?? [];
  const takedowns = await restoredTakedowns(deployment, live, recorded);
  const { comesBack } = takedowns;
  const copy: Copy = {
    live,
    deployment,
    client,
    from,
    takedowns,
    now,
    comesBack,
    isDeleted: deletedProjects(live),
  };
  const sum: Restored = { from, restored: 0, kept: 0, leftOut: 0 };
  const shown = (count: number) => count.toLocaleString('en');
  const entrances: Sorted[] = [];
  try {
    let read = 0;
    for await (const page of pagesOf(copy)) {
      entrances.push(...page.filter(({ kind }) => kind === 'entrance'));
      sum.leftOut += page.filter(({ kind }) => kind === 'left out').length;
      await writeAll(page, { copy, sum, kinds: ['app', 'plain'] });
      read += page.length;
      progress(`${shown(read)} items read, ${shown(sum.restored)} restored`);
    }
    for (const { item } of entrances) await takedowns.suspend(item);
    for await (const page of pagesOf(copy)) {
      await writeAll(page, { copy, sum, kinds: ['link'] });
      progress(`links: ${shown(sum.restored)} items restored`);
    }
    await writeAll(entrances, { copy, sum, kinds: ['entrance'] });
    await replayTakedowns(deployment, recorded, { progress, pause });
    const left = takedowns.leftOut();
    if (left.length > 0) progress(`No longer blocked, so not blocked again: ${left.join(', ')}`);
    return sum;
  } finally {
    client.destroy();
  }
};

interface Sorted {
  readonly item: StoredItem;
  readonly kind: RestoreKind;
}

async function* pagesOf(copy: Copy): AsyncGenerator<Sorted[]> {
  const { client, from } = copy;
  const pages = paginateScan({ client }, { TableName: from, ConsistentRead: true });
  for (;;) {
    const { value, done } = await pages.next().catch((error: Error) => {
      throw new OperatorError(`The table ${from} can't be read: ${error.message}`);
    });
    if (done) return;
    const { Items = [] } = value;
    yield await Promise.all(Items.map(async (item) => ({ item, kind: await restoreKindOf(copy, item) })));
  }
}

const atOnce = 16;

interface Writing {
  readonly copy: Copy;
  readonly sum: Restored;
  readonly kinds: readonly RestoreKind[];
}

const writeAll = async (page: readonly Sorted[], { copy, sum, kinds }: Writing): Promise<void> => {
  const wanted = page.filter(({ kind }) => kinds.includes(kind));
  for (let index = 0; index < wanted.length; index += atOnce) {
    const written = await Promise.all(wanted.slice(index, index + atOnce).map((one) => write(copy, one)));
    sum.restored += written.filter(Boolean).length;
    sum.kept += written.filter((done) => !done).length;
  }
};

/** Writes an item; false if it exists already. */
const write = (copy: Copy, { item, kind }: Sorted): Promise<boolean> => {
  if (kind === 'app') return writeApp(copy, item);
  return kind === 'link' ? writeLink(copy, item) : writePlain(copy, item);
};

const writePlain = async ({ client, deployment }: Copy, Item: StoredItem): Promise<boolean> => {
  try {
    const ConditionExpression = 'attribute_not_exists(PK)';
    await client.send(new PutItemCommand({ TableName: deployment.tableName, Item, ConditionExpression }));
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
};

/** Writes an app and updates its project's count, which is never copied. */
const writeApp = ({ deployment }: Copy, item: StoredItem): Promise<boolean> => {
  const { PK, SK, ...app } = unmarshall(item);
  const project = String(PK).slice(partitions.project.length);
  return met(deployment.stores.apps.create(project, app as MobileApp));
};

/** Writes a link with its tags' entries, its list entry and the list's count, unless only the link was lost. */
const writeLink = async ({ live, takedowns }: Copy, item: StoredItem): Promise<boolean> => {
  const { PK, SK, ...stored } = unmarshall(item) as { PK: string; SK: string } & Link;
  const link = takedowns.asLeft(stored);
  const { project, code, segment, createdAt } = link;
  const isListed =
    link.status === 'DELETED' || (await live.get(listedLinkKey(project, segment, createdAt, code)));
  const change = changeNote({ now: new Date(), by: operator, isQuiet: true });
  const parts = [putNew(linkKey(project, code), { ...link, change }), ...(isListed ? [] : enlist(link))];
  const tags = link.status === 'DELETED' ? [] : tagParts(link, [], link.tags);
  return met(notingTags(live, link, (names) => live.transact([...names, ...parts, ...tags])));
};
