import type { StoredProject } from '../projects/project-store.ts';
import { linkKey } from '../table/keys.ts';
import { met, type Table } from '../table/table.ts';
import type { Link } from './link.ts';
import { enlist, extendList, segmentAt, segmentOfPast, segmentsOf } from './link-list.ts';
import { fromItem } from './link-reads.ts';
import { marker, putNew, reservation } from './link-writes.ts';

/** A link that comes from elsewhere, with its code and its status. */
export type ImportedLink = Omit<Link, 'segment'>;

export interface ImportPlace {
  readonly project: StoredProject;
  /** The segments of the project's list, as they were read once. */
  readonly segments: readonly string[];
  /** Whether the link is as new as its import, and so goes where links that are created now go. */
  readonly isNew: boolean;
  /** The counter of a segment that this writer alone uses: writers that meet on one wait for each other. */
  readonly counter: number;
}

/** What moving links in takes: creation as in the API, but with times and states that lie in the past. */
export const linkImportStore = (table: Table) => ({
  segments: (project: string): Promise<string[]> => segmentsOf(table, project),

  /** What is stored under these codes, by code; deleted links too, which keep theirs. */
  async find(project: string, codes: readonly string[]): Promise<Map<string, Link>> {
    const items = await table.batchGet(codes.map((code) => linkKey(project, code)));
    return new Map(items.map(fromItem).map((link) => [link.code, link]));
  },

  /** Stores a link with everything that must be true of it at once. False if its code is taken. */
  async create(imported: ImportedLink, { project, segments, isNew, counter }: ImportPlace): Promise<boolean> {
    const { createdAt } = imported;
    const segment = isNew ? segmentAt(project, createdAt) : segmentOfPast(project, segments, createdAt);
    const link: Link = { ...imported, segment };
    const parts = [
      putNew(linkKey(link.project, link.code), link),
      ...enlist(link, counter),
      ...reservation(link.code),
      // One that has expired is stored as such: nothing has to find it.
      ...(link.status === 'EXPIRED' ? [] : marker(link)),
    ];
    if (!(await met(table.transact(parts)))) return false;
    if (isNew) await extendList(table, project, new Date());
    return true;
  },
});
