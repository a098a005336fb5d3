import { totalsKeys } from '../clicks/figure-items.ts';
import { figuresOf } from '../clicks/figures.ts';
import { figuresKey, linkKey } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import type { Figures, Link } from './link.ts';

export interface LinkWithFigures {
  readonly link: Link;
  readonly figures: Figures;
}

export const fromItem = ({ PK, SK, deletedAt, revision, ...link }: Item) => link as unknown as Link;

const totals = figuresKey({ project: '' }).SK;

/** The items of a link's partition; nothing if the link is deleted or not there. */
export const pair = (items: readonly Item[]): LinkWithFigures | undefined => {
  const link = items.find(({ SK }) => SK === linkKey('', '').SK);
  if (!link || link.status === 'DELETED') return undefined;
  return {
    link: fromItem(link),
    figures: figuresOf(...items.filter(({ SK }) => String(SK).startsWith(totals))),
  };
};

/** Links read at once when a caller wants all of them; ten calls of BatchGetItem. */
export const portionSize = 500;

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
