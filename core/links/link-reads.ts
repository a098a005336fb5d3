import { type Analytics, analyticsOf } from '../analytics/analytics.ts';
import { totalsKeys } from '../analytics/analytics-items.ts';
import { linkNotFound } from '../base/failure.ts';
import { analyticsKey } from '../table/analytics-keys.ts';
import { linkKey } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { fromItem, type Link } from './link.ts';

export interface LinkWithAnalytics {
  readonly link: Link;
  readonly analytics: Analytics;
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

/** The links with these codes that aren't deleted, with analytics. */
export const linksWithAnalytics = async (table: Table, project: string, codes: readonly string[]) => {
  const [links, totals] = await Promise.all([
    livingLinks(table, project, codes),
    table.batchGet(codes.map((code) => analyticsKey({ project, code }))),
  ]);
  return withAnalytics(table, links, totals);
};

/** Links with their analytics. Links with groups of visitors have further items. */
export const withAnalytics = async (table: Table, links: readonly Link[], totals?: readonly Item[]) => {
  const grouped = links.filter(({ groups }) => groups !== undefined);
  const items = await Promise.all([
    totals ?? table.batchGet(links.map((link) => analyticsKey(link))),
    table.batchGet(grouped.flatMap(totalsKeys)),
  ]);
  const byPartition = Map.groupBy(items.flat(), ({ PK }) => PK);
  return links.map((link) => ({
    link,
    analytics: analyticsOf(...(byPartition.get(analyticsKey(link).PK) ?? [])),
  }));
};
