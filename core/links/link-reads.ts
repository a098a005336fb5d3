import { linkNotFound } from '../base/failure.ts';
import { totalsKeys } from '../figures/figure-items.ts';
import { type Figures, figuresOf } from '../figures/figures.ts';
import { figuresKey } from '../table/figure-keys.ts';
import { linkKey } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { fromItem, type Link } from './link.ts';

export interface LinkWithFigures {
  readonly link: Link;
  readonly figures: Figures;
}

/** A link that isn't deleted. Throws LINK_NOT_FOUND. */
export const livingLink = (item: Item | undefined): Link => {
  if (!item || item.status === 'DELETED') throw linkNotFound();
  return fromItem(item);
};

/** The links with these codes that aren't deleted, in order. */
export const livingLinks = async (
  table: Table,
  project: string,
  codes: readonly string[],
): Promise<Link[]> => {
  const items = await table.batchGet(codes.map((code) => linkKey(project, code)));
  const links = items.filter(({ status }) => status !== 'DELETED').map(fromItem);
  const byCode = new Map(links.map((link) => [link.code, link]));
  return codes.flatMap((code) => byCode.get(code) ?? []);
};

/** The links with these codes that aren't deleted, with figures. */
export const linksWithFigures = async (table: Table, project: string, codes: readonly string[]) => {
  const [links, totals] = await Promise.all([
    livingLinks(table, project, codes),
    table.batchGet(codes.map((code) => figuresKey({ project, code }))),
  ]);
  return withFigures(table, links, totals);
};

/** Links with their figures. Links with groups of visitors have further items. */
export const withFigures = async (
  table: Table,
  links: readonly Link[],
  totals?: readonly Item[],
): Promise<LinkWithFigures[]> => {
  const grouped = links.filter(({ groups }) => groups !== undefined);
  const items = await Promise.all([
    totals ?? table.batchGet(links.map((link) => figuresKey(link))),
    table.batchGet(grouped.flatMap(totalsKeys)),
  ]);
  const byPartition = Map.groupBy(items.flat(), ({ PK }) => PK);
  return links.map((link) => ({ link, figures: figuresOf(...(byPartition.get(figuresKey(link).PK) ?? [])) }));
};
