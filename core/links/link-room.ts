import { appCountKey, linkKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { tagNames } from './link-tags.ts';

/** What new links of a project could collide with. */
export interface LinkRoom {
  /** Codes that are in use, also by deleted links. */
  readonly taken: Set<string>;
  /** The tags that the project's links have or had. */
  readonly tags: ReadonlySet<string>;
  /** How many apps the project has. */
  readonly apps: number;
}

/** Reads that tell whether links could be created. */
export const linkRooms = (table: Table) => ({
  async room(project: string, codes: readonly string[]): Promise<LinkRoom> {
    const keys = [...new Set(codes)].map((code) => linkKey(project, code));
    const [links, tags, apps] = await Promise.all([
      table.batchGet(keys, ['code']),
      tagNames(table, project),
      table.get(appCountKey(project)),
    ]);
    return { taken: new Set(links.map(({ code }) => String(code))), tags, apps: Number(apps?.n ?? 0) };
  },
});
