/** Links that are clicked alike. */
export interface LinkGroup {
  readonly links: number;
  /** Of each link, evenly over time. */
  readonly clicksAnHour: number;
}

/** All clicks of a table. Each project has as many links of a kind as the others. */
export interface Traffic {
  readonly projects: number;
  readonly groups: readonly LinkGroup[];
}

export const clicksAnHour = ({ groups }: Traffic): number =>
  groups.reduce((sum, group) => sum + group.links * group.clicksAnHour, 0);

export const countOfLinks = ({ groups }: Traffic): number =>
  groups.reduce((sum, { links }) => sum + links, 0);

/** What a click's link brings, on average over all clicks; by how often the link is clicked. */
export const onAverage = (traffic: Traffic, of: (clicksAnHour: number) => number): number =>
  traffic.groups.reduce((sum, group) => sum + group.links * group.clicksAnHour * of(group.clicksAnHour), 0) /
  clicksAnHour(traffic);

/** The same on average over all links. */
export const onLinks = (traffic: Traffic, of: (clicksAnHour: number) => number): number =>
  traffic.groups.reduce((sum, group) => sum + group.links * of(group.clicksAnHour), 0) /
  countOfLinks(traffic);

/** Over which of the table's partitions clicks are spread: a link's clicks are in one, and few links may have nearly all. */
export const busyPartitions = (traffic: Traffic, partitions: number): number => {
  const evenLinks = clicksAnHour(traffic) / onAverage(traffic, (clicks) => clicks);
  return Math.min(partitions, Math.max(1, evenLinks));
};

/** How often something begins for a click, if it begins with the first click of each span in which so many come by chance. */
export const beginsFor = (clicksInSpan: number): number => -Math.expm1(-clicksInSpan) / clicksInSpan;
