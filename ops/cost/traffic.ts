/** Links with the same number of clicks. */
export interface LinkGroup {
  readonly links: number;
  /** Clicks of each link, evenly over time. */
  readonly clicksAnHour: number;
}

/** All clicks of a table. Links are spread evenly over projects. */
export interface Traffic {
  readonly projects: number;
  readonly groups: readonly LinkGroup[];
}

export const clicksAnHour = ({ groups }: Traffic): number =>
  groups.reduce((sum, group) => sum + group.links * group.clicksAnHour, 0);

export const countOfLinks = ({ groups }: Traffic): number =>
  groups.reduce((sum, { links }) => sum + links, 0);

/** The average over all clicks of a function of the link's clicks an hour. */
export const onAverage = (traffic: Traffic, of: (clicksAnHour: number) => number): number =>
  traffic.groups.reduce((sum, group) => sum + group.links * group.clicksAnHour * of(group.clicksAnHour), 0) /
  clicksAnHour(traffic);

/** The average over all links of a function of the link's clicks an hour. */
export const onLinks = (traffic: Traffic, of: (clicksAnHour: number) => number): number =>
  traffic.groups.reduce((sum, group) => sum + group.links * of(group.clicksAnHour), 0) /
  countOfLinks(traffic);

/** The effective number of partitions with clicks: a link's clicks are in one, and few links may have nearly all. */
export const busyPartitions = (traffic: Traffic, partitions: number): number => {
  const evenLinks = clicksAnHour(traffic) / onAverage(traffic, (clicks) => clicks);
  return Math.min(partitions, Math.max(1, evenLinks));
};

/** The average number of beginnings per click, if each span begins with its first click and has this many. */
export const beginsFor = (clicksInSpan: number): number => -Math.expm1(-clicksInSpan) / clicksInSpan;
