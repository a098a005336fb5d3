import { appCountKey, linkKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { tagNames } from './link-tags.ts';

/** Reads for checks of whether links could be created. */
export const linkRooms = (table: Table) => ({
  /**
   * Stored data with which new links could conflict: those of these codes that are in use, including by deleted links,
   * tags that the project's links have or had, and its number of apps.
   */
  async room(project: string, codes: readonly string[]) {
    const keys = [...new Set(codes)].map((code) => linkKey(project, code));
    const [links, tags, apps] = await Promise.all([
      table.batchGet(keys, ['code']),
      tagNames(table, project),
      table.get(appCountKey(project)),
    ]);
    return { taken: new Set(links.map(({ code }) => String(code))), tags, apps: Number(apps?.n ?? 0) };
  },
});
