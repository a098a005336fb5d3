import type { StoredProject } from '../projects/project-store.ts';
import { linkListOf, projectKey } from '../table/keys.ts';
import { itemsFrom } from '../table/ranges.ts';
import type { Table } from '../table/table.ts';
import { updateWhen } from '../table/update.ts';

/**
 * Stores the creation time of the project's first link, where its analytics begin even if that link is deleted. Call it
 * before a creation: a time without a link does less harm than a missing time.
 */
export const noteFirstLink = async (table: Table, { id, firstLinkAt }: StoredProject, createdAt: string) => {
  if (firstLinkAt !== undefined && firstLinkAt <= createdAt) return;
  await updateWhen(table, projectKey(id), {
    set: { firstLinkAt: createdAt },
    when: 'attribute_exists(#PK) AND (attribute_not_exists(#firstLinkAt) OR #firstLinkAt > :firstLinkAt)',
  });
};

/**
 * Creation time of the project's first link, deleted or not; undefined if there was none. The list's oldest link also
 * counts, because projects may have links from before the time was stored.
 */
export const firstLinkAt = async (table: Table, project: string): Promise<string | undefined> => {
  const [item, [oldest]] = await Promise.all([
    table.get(projectKey(project)),
    table.query({ ...itemsFrom(linkListOf(project)), ConsistentRead: false, Limit: 1 }),
  ]);
  const listed = oldest && String(oldest.SK).split('#')[2];
  const noted = item?.firstLinkAt as string | undefined;
  return listed !== undefined && (noted === undefined || listed < noted) ? listed : noted;
};
