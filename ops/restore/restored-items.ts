import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { ownerOfPartition, partitions, projectKey, sortKeys, tableSchema } from '../../core/table/keys.ts';
import { memberCountKey } from '../../core/table/member-keys.ts';
import type { Table } from '../../core/table/table.ts';

/** An item in the table's form, so that numbers and bytes stay unchanged. */
export type StoredItem = Readonly<Record<string, AttributeValue>>;

/**
 * How a restore treats an item: `derived` ones are written with the items that they count or list; `entrance` ones
 * admit clients and visitors.
 */
export type RestoreKind = 'left out' | 'derived' | 'app' | 'link' | 'entrance' | 'plain';

export interface Circumstances {
  readonly now: Date;
  /** Whether the project is deleted in the live table. */
  readonly isDeleted: (project: string) => Promise<boolean>;
  /** Whether a blocked destination will be blocked again. */
  readonly comesBack: (host: string) => boolean;
}

const entrancePartitions = [partitions.apiKey, partitions.domain];

/**
 * Visitors would count again, and a restore emits no events: without its state, a webhook waits until somebody
 * activates it.
 */
const neverRestored = [
  partitions.visitor,
  partitions.rate,
  partitions.webhookState,
  partitions.webhookTurns,
  partitions.delivery,
  partitions.event,
  // Members stay as they are now.
  partitions.member,
  partitions.memberKey,
  partitions.person,
  partitions.session,
  partitions.signedIn,
  // The next beat is newer.
  partitions.home,
];

export const restoreKindOf = async (
  { now, isDeleted, comesBack }: Circumstances,
  item: StoredItem,
): Promise<RestoreKind> => {
  const [PK, SK] = [item.PK?.S ?? '', item.SK?.S ?? ''];
  if (neverRestored.some((start) => PK.startsWith(start))) return 'left out';
  if (PK === partitions.suspended) return 'derived';
  if (PK === partitions.blocked && !comesBack(SK)) return 'left out';
  // TTL's deletion of a marker stores the link's expiry, so the marker must exist first.
  const isOver = Number(item[tableSchema.ttl]?.N ?? Number.POSITIVE_INFINITY) * 1000 <= now.getTime();
  if (isOver && SK !== sortKeys.expiry) return 'left out';
  const project = ownerOf(PK, SK, item);
  if (project !== undefined && (await isDeleted(project))) return 'left out';
  if (
    PK.startsWith(partitions.linkList) &&
    [sortKeys.place, sortKeys.segment].some((start) => SK.startsWith(start))
  )
    return 'derived';
  if (PK.startsWith(partitions.tagged)) return 'derived';
  if (PK.startsWith(partitions.project)) {
    if (SK === sortKeys.apps) return 'derived';
    if (SK === memberCountKey(project ?? '').SK) return 'left out';
    return SK.startsWith(sortKeys.app) ? 'app' : 'entrance';
  }
  if (PK.startsWith(partitions.link) && SK === sortKeys.link) return 'link';
  return entrancePartitions.some((start) => PK.startsWith(start)) ? 'entrance' : 'plain';
};

/** The project of an item, if it has one. */
const ownerOf = (PK: string, SK: string, item: StoredItem): string | undefined => {
  if (PK === partitions.associations) return SK;
  return ownerOfPartition(PK) ?? item.project?.S;
};

/** Whether a project was deleted in the live table; read once for each. */
export const deletedProjects = (live: Table) => {
  const known = new Map<string, Promise<boolean>>();
  return (project: string): Promise<boolean> => {
    const answer =
      known.get(project) ?? live.get(projectKey(project)).then((item) => item?.deletedAt !== undefined);
    known.set(project, answer);
    return answer;
  };
};
