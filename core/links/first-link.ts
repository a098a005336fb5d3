import type { StoredProject } from '../projects/project-store.ts';
import { linkListOf, projectKey } from '../table/keys.ts';
import { itemsFrom } from '../table/ranges.ts';
import type { Table } from '../table/table.ts';
import { updateWhen } from '../table/update.ts';

/**
 * Notes when the project's first link was created, which its figures begin with even when that link is deleted. To be
 * called before a creation: a note of a link that came to nothing harms less than one that is missing.
 */
export const noteFirstLink = async (
  table: Table,
  { id, firstLinkAt }: StoredProject,
  createdAt: string,
): Promise<void> => {
  if (firstLinkAt !== undefined && firstLinkAt <= createdAt) return;
  await updateWhen(table, projectKey(id), {
    set: { firstLinkAt: createdAt },
    when: 'attribute_exists(#PK) AND (attribute_not_exists(#firstLinkAt) OR #firstLinkAt > :firstLinkAt)',
  });
};

/**
 * When the project's first link was created, deleted or not; nothing if there never was one. The oldest link of the
 * list counts too: projects may have links from before this was noted.
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
