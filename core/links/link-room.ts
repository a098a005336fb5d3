import { appCountKey, linkKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { tagNames } from './link-tags.ts';

/** Stored data with which new links could conflict. */
export interface LinkConflicts {
  /** Codes in use, including those of deleted links. */
  readonly taken: Set<string>;
  /** Tags that the project's links have or had. */
  readonly tags: ReadonlySet<string>;
  readonly apps: number;
}

/** Reads for checks of whether links could be created. */
export const linkRooms = (table: Table) => ({
  async room(project: string, codes: readonly string[]): Promise<LinkConflicts> {
    const keys = [...new Set(codes)].map((code) => linkKey(project, code));
    const [links, tags, apps] = await Promise.all([
      table.batchGet(keys, ['code']),
      tagNames(table, project),
      table.get(appCountKey(project)),
    ]);
    return { taken: new Set(links.map(({ code }) => String(code))), tags, apps: Number(apps?.n ?? 0) };
  },
});
