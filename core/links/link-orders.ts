/** Orders of lists of links, in addition to newest first. */
export const linkOrders = ['oldest', 'clicks', 'code', 'name'] as const;
export type LinkOrder = (typeof linkOrders)[number];

interface Sortable {
  readonly code: string;
  readonly name?: string | undefined;
  readonly clicks: number;
}

const collator = new Intl.Collator('en', { numeric: true });
const orders = {
  clicks: (a: Sortable, b: Sortable) => b.clicks - a.clicks,
  code: (a: Sortable, b: Sortable) => collator.compare(a.code, b.code),
  // Links without a name come last.
  name: ({ name: a = '' }: Sortable, { name: b = '' }: Sortable) =>
    Number(a === '') - Number(b === '') || collator.compare(a, b),
};

/** Sorts links, which are given newest first. */
export const sorted = <Link>(
  links: readonly Link[],
  sort: LinkOrder | undefined,
  read: (link: Link) => Sortable,
): Link[] => {
  if (!sort) return [...links];
  return sort === 'oldest' ? links.toReversed() : links.toSorted((a, b) => orders[sort](read(a), read(b)));
};
