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

/** The apps that may open a project's short URLs, as set by operators. */
export const associationStore = (table: Table) => ({
  async find(project: string): Promise<Association | undefined> {
    const item = await table.get(associationKey(project));
    return item && fromItem(item);
  },

  /** Replaces a project's association. False if the project doesn't exist. */
  set: (association: Association): Promise<boolean> =>
    met(
      table.transact([
        { ConditionCheck: { Key: projectKey(association.project), ...conditionOf(existing) } },
        { Put: { Item: { ...associationKey(association.project), ...association } } },
      ]),
    ),

  /** Associations of all projects. */
  async all(): Promise<Association[]> {
    return (await table.query({ ...itemsOf(partitions.associations), ConsistentRead: false })).map(fromItem);
  },

  /** False if there was none. */
  remove: (project: string): Promise<boolean> => removed(table, associationKey(project)),
});

/** The part of a shared host that a project's apps may open. */
export const sharedWith = (association: Association, owner?: string): HostShare => ({
  ...association,
  folder: association.project,
  beyond: association.project === owner ? 'top' : 'nothing',
});

/** The apps that may open a host's addresses, without those of suspended projects. */
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
