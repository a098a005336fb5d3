import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Link } from '../../core/links/link.ts';
import { projectKey, suspendedKey } from '../../core/table/keys.ts';
import { met, type Table } from '../../core/table/table.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import { type Takedown, takedownSubject } from '../deployment/takedown-record.ts';
import type { StoredItem } from './restored-items.ts';

/** Takedowns after a restore: the operators' last act counts, and not the backup's state. */
export interface RestoredTakedowns {
  /** Whether a blocked destination of the backup is blocked again. */
  readonly comesBack: (host: string) => boolean;
  /** Blocked destinations that only the backup has, as far as `comesBack` was called. */
  readonly leftOut: () => string[];
  /** A backup's link, blocked or not according to the last act. */
  readonly asLeft: (link: Link) => Link;
  /** Suspends the project of a backup's item again, if it was suspended or deleted last. */
  readonly suspend: (item: StoredItem) => Promise<void>;
}

export const restoredTakedowns = async (
  { stores }: DeploymentAccess,
  live: Table,
  takedowns: readonly Takedown[],
): Promise<RestoredTakedowns> => {
  const last = new Map(takedowns.map((one) => [takedownSubject(one), one]));
  const blocked = new Set((await stores.destinations.list()).map(({ host }) => host));
  const leftOut = new Set<string>();
  return {
    comesBack(host) {
      const act = last.get(`destination ${host}`)?.act;
      if (act) return act === 'destination block';
      // It is unknown whether the block was lifted. A table that lost one has usually lost all of them.
      if (blocked.size === 0 || blocked.has(host)) return true;
      leftOut.add(host);
      return false;
    },
    leftOut: () => [...leftOut],
    asLeft: (link) => asLeft(link, last.get(`link ${link.project}/${link.code}`)),
    suspend: (item) => suspend(live, item, last),
  };
};

const asLeft = (link: Link, last: Takedown | undefined): Link => {
  if (!last) return link;
  const { blockedAt: _, blockedReason: __, ...open } = link;
  if (last.act !== 'link block') return open;
  return { ...open, blockedAt: last.at, ...(last.reason !== undefined && { blockedReason: last.reason }) };
};

const stopped = '(attribute_exists(suspendedAt) OR attribute_exists(deletedAt))';

/** Suspends a project again: by the live project, or by record and backup if that was lost. */
const suspend = async (live: Table, item: StoredItem, last: ReadonlyMap<string, Takedown>): Promise<void> => {
  const { PK, SK, id, suspendedAt, deletedAt } = unmarshall(item);
  const key = projectKey(String(id));
  const act = last.get(`project ${id}`)?.act;
  if (PK !== key.PK || SK !== key.SK || act === 'project resume') return;
  const wasStopped = act !== undefined || suspendedAt !== undefined || deletedAt !== undefined;
  const ConditionExpression = wasStopped ? `attribute_not_exists(PK) OR ${stopped}` : stopped;
  await met(
    live.transact([
      { ConditionCheck: { Key: key, ConditionExpression } },
      { Put: { Item: suspendedKey(String(id)) } },
    ]),
  );
};
