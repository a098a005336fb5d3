import type { StoredProject } from '../projects/project-store.ts';
import { linkKey } from '../table/keys.ts';
import { met, type Part, type Table } from '../table/table.ts';
import { noteFirstLink } from './first-link.ts';
import { fromItem, type Link } from './link.ts';
import { extendList, recount, segmentAt, segmentOfPast, segmentsOf } from './link-list.ts';
import { notingTags } from './link-tags.ts';
import { type Authorship, linkParts, reservation } from './link-writes.ts';

/** A link to import, with its code and status. */
export interface ImportedLink extends Omit<Link, 'segment'> {
  /** Whether the link was created now, so it belongs in the segment of new links. */
  readonly isNew: boolean;
}

export interface ImportPlace {
  readonly project: StoredProject;
  /** The segments of the project's list, read once. */
  readonly segments: readonly string[];
  /** The segment counter of this writer: writers with the same one would conflict. */
  readonly counter: number;
  /** The import's time and author; its links were created earlier. */
  readonly change: Authorship;
}

/** Writes of links in a transaction of 100; one may store new tags. A link takes at most 15 and 48 KB, so 4 MB suffice. */
const partsAtOnce = 99;

/** Imports of links: creations as in the API, but with past times and any status. */
export const linkImportStore = (table: Table) => ({
  segments: (project: string): Promise<string[]> => segmentsOf(table, project),

  /** The stored links under these codes, by code, deleted links included. */
  async find(project: string, codes: readonly string[]): Promise<Map<string, Link>> {
    const items = await table.batchGet(codes.map((code) => linkKey(project, code)));
    return new Map(items.map(fromItem).map((link) => [link.code, link]));
  },

  /**
   * Stores links with different codes and all of their items, many in one transaction, which takes an eighth of the
   * time. Resolves to the codes that were free; links with taken codes are skipped.
   */
  async create(imported: readonly ImportedLink[], place: ImportPlace): Promise<Set<string>> {
    const links = imported.map((link) => placed(link, place));
    const [first] = links.map(({ createdAt }) => createdAt).sort();
    if (first !== undefined) await noteFirstLink(table, place.project, first);
    const created = new Set<string>();
    for (const pack of packed(links, place))
      for (const code of await createPack(table, pack, place)) created.add(code);
    for (const { code, isNew } of imported)
      if (isNew && created.has(code)) await extendList(table, place.project, new Date());
    return created;
  },
});

const placed = ({ isNew, ...link }: ImportedLink, { project, segments }: ImportPlace): Link => ({
  ...link,
  segment: isNew ? segmentAt(project, link.createdAt) : segmentOfPast(project, segments, link.createdAt),
});

/** Groups of links whose writes fit into one transaction. */
function* packed(links: readonly Link[], place: ImportPlace): Generator<Link[]> {
  let pack: Link[] = [];
  let parts = 0;
  for (const link of links) {
    // Counts one write for a counter of each link, even if they share it.
    const more = partsOf(link, place).length + 1;
    if (parts + more > partsAtOnce) {
      yield pack;
      [pack, parts] = [[], 0];
    }
    pack.push(link);
    parts += more;
  }
  if (pack.length > 0) yield pack;
}

const partsOf = (link: Link, { change }: ImportPlace): Part[] =>
  linkParts(link, reservation(link.code), change);

/** Stores a pack, and resolves to the codes that were free. If one was taken meanwhile, links are stored one by one. */
const createPack = async (table: Table, links: readonly Link[], place: ImportPlace) => {
  const counts = [...Map.groupBy(links, ({ segment }) => segment)].map(([segment, of]) =>
    recount({ project: place.project.id, segment }, of.length, place.counter),
  );
  const given = { project: place.project.id, tags: links.flatMap(({ tags = [] }) => tags) };
  const writing = notingTags(table, given, (noted) =>
    table.transact([...noted, ...links.flatMap((link) => partsOf(link, place)), ...counts]),
  );
  if (await met(writing)) return links.map(({ code }) => code);
  if (links.length === 1) return [];
  const created: string[] = [];
  for (const link of links) created.push(...(await createPack(table, [link], place)));
  return created;
};
