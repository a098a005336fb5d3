import type { VisitorReads } from '../cached-reads/visitor-reads.ts';
import { takedownStore } from '../destinations/takedowns.ts';
import { isServiceHost } from '../hosts/short-address.ts';
import { existing } from '../projects/project-store.ts';
import { associationKey, partitions, projectKey } from '../table/keys.ts';
import { itemsOf } from '../table/ranges.ts';
import { type Item, met, removed, type Table } from '../table/table.ts';
import { conditionOf } from '../table/update.ts';
import type { Association, HostShare } from './association.ts';
import { ownerOf } from './short-link-store.ts';

const fromItem = ({ project, ios, android, ownHostsOnly }: Item) =>
  ({ project, ios, android, ...(ownHostsOnly === true && { ownHostsOnly }) }) as Association;

/** Which apps may open a project's short URLs, as operators state it. */
export const associationStore = (table: Table) => ({
  async find(project: string): Promise<Association | undefined> {
    const item = await table.get(associationKey(project));
    return item && fromItem(item);
  },

  /** Replaces the earlier statement. False if there is no such project. */
  set: (association: Association): Promise<boolean> =>
    met(
      table.transact([
        { ConditionCheck: { Key: projectKey(association.project), ...conditionOf(existing) } },
        { Put: { Item: { ...associationKey(association.project), ...association } } },
      ]),
    ),

  /** Those of all projects. */
  async all(): Promise<Association[]> {
    return (await table.query({ ...itemsOf(partitions.associations), ConsistentRead: false })).map(fromItem);
  },

  /** False if there was nothing to remove. */
  remove: (project: string): Promise<boolean> => removed(table, associationKey(project)),
});

/** What a project's apps may open on a host that all projects share. */
export const sharedWith = (association: Association, owner?: string): HostShare => ({
  ...association,
  folder: association.project,
  beyond: association.project === owner ? 'top' : 'nothing',
});

/** Which apps may open which addresses of a host; none of suspended projects. */
export const hostShareStore = (reads: VisitorReads, shortDomain?: string) => {
  const { isSuspended } = takedownStore(reads);
  return {
    async of(host: string): Promise<HostShare[]> {
      const owner = await ownerOf(reads, host);
      if (owner && !owner.shared) {
        const [item, isStopped] = await Promise.all([
          reads.item(associationKey(owner.project)),
          isSuspended(owner.project),
        ]);
        return item && !isStopped ? [{ ...fromItem(item), beyond: 'everything' }] : [];
      }
      if (!owner && !isServiceHost(host, shortDomain)) return [];
      const all = (await reads.all(partitions.associations)).map(fromItem).filter((one) => !one.ownHostsOnly);
      const stopped = await Promise.all(all.map(({ project }) => isSuspended(project)));
      return all.filter((_, i) => !stopped[i]).map((one) => sharedWith(one, owner?.project));
    },
  };
};
