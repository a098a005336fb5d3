import { linkNotFound } from '../base/failure.ts';
import { totalsKeys } from '../figures/figure-items.ts';
import { type Figures, figuresOf } from '../figures/figures.ts';
import { figuresKey } from '../table/figure-keys.ts';
import { type Key, linkKey, sortKeys } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { fromItem, type Link } from './link.ts';
import { placeOf } from './link-list.ts';

export interface LinkWithFigures {
  readonly link: Link;
  readonly figures: Figures;
}

/** A link that is read to be changed. Throws LINK_NOT_FOUND, also for a deleted one. */
export const livingLink = (item: Item | undefined): Link => {
  if (!item || item.status === 'DELETED') throw linkNotFound();
  return fromItem(item);
};

/** Counts the changes of a link's content and tags. */
export const revisionOf = (item: Item | undefined): number => Number(item?.revision ?? 0);

/** The items of a link's partition; nothing if the link is deleted or not there. */
export const pair = (items: readonly Item[]): LinkWithFigures | undefined => {
  const link = items.find(({ SK }) => SK === sortKeys.link);
  if (!link || link.status === 'DELETED') return undefined;
  return {
    link: fromItem(link),
    figures: figuresOf(...items.filter(({ SK }) => String(SK).startsWith(sortKeys.totals))),
  };
};

/** The links of these codes that are not deleted, in their order. */
export const linksOf = async (
  table: Table,
  project: string,
  codes: readonly string[],
): Promise<LinkWithFigures[]> => {
  const items = await table.batchGet(
    codes.flatMap((code) => [linkKey(project, code), figuresKey({ project, code })]),
  );
  // Set where a link's visitors are in groups: its totals are in several items.
  const grouped = items.filter(({ groups }) => groups !== undefined);
  const parts = grouped.flatMap(({ code }) => totalsKeys({ project, code: String(code) }));
  if (parts.length > 0) items.push(...(await table.batchGet(parts)));
  const byPartition = Map.groupBy(items, ({ PK }) => PK);
  return codes.flatMap((code) => pair(byPartition.get(linkKey(project, code).PK) ?? []) ?? []);
};

/** A link that is read, and the read units that it took. */
interface ReadLink {
  readonly link: Link;
  readonly units: number;
}

const unitBytes = 4096;

/** The links of a project that are at these places and not deleted, by the sort keys of their places. */
export const linksAt = async (
  table: Table,
  project: string,
  codes: readonly string[],
): Promise<Map<string, ReadLink>> => {
  const items = await table.batchGet(codes.map((code) => linkKey(project, code)));
  const links = items.filter(({ status }) => status !== 'DELETED').map(fromItem);
  return new Map(links.map((link) => [placeOf(link).SK, { link, units: unitsOf(link) }]));
};

const unitsOf = (link: Link): number => Math.ceil(Buffer.byteLength(JSON.stringify(link)) / unitBytes);

/** Links with their figures. */
export const withFigures = async (table: Table, links: readonly Link[]): Promise<LinkWithFigures[]> => {
  const keysOf = (link: Link): Key[] => [
    figuresKey(link),
    ...(link.groups === undefined ? [] : totalsKeys(link)),
  ];
  const items = links.length > 0 ? await table.batchGet(links.flatMap(keysOf)) : [];
  const byPartition = Map.groupBy(items, ({ PK }) => PK);
  return links.map((link) => ({
    link,
    figures: figuresOf(...(byPartition.get(figuresKey(link).PK) ?? [])),
  }));
};
