import { daysAtOnce } from '../../core/clicks/closed-days.ts';
import { itemsOfHour } from '../../core/clicks/figure-items.ts';

/** What a batch of the table's stream holds on average, all of one project. */
export interface Spread {
  readonly name: string;
  readonly says: string;
  readonly clicksInBatch: number;
  readonly linksInBatch: number;
  readonly clicksAnHour: { readonly link: number; readonly project: number };
  /** Write units of the items of figures on a table of four partitions. */
  readonly units: {
    readonly totals: number;
    readonly linkHour: number;
    /** One of an hour's items. */
    readonly projectHour: number;
    /** A project's day by link. */
    readonly byLink: number;
  };
}

/** Table units that a click's figures take. */
export const figureUnits = ({ clicksInBatch, linksInBatch, clicksAnHour, units }: Spread) => {
  const links = linksInBatch / clicksInBatch;
  const hours = { link: sharesOf(clicksAnHour.link), project: sharesOf(clicksAnHour.project) };
  const days = { link: sharesOf(clicksAnHour.link * 24), project: sharesOf(clicksAnHour.project * 24) };
  const boundary = units.totals / daysAtOnce.link;
  return {
    writes:
      links * (units.totals + units.linkHour) +
      units.projectHour / clicksInBatch +
      days.link * (1 + boundary) +
      days.project * (2 + units.byLink),
    // An item of an hour that begins reads the boundary of the days, and a day that is closed reads its hours.
    reads:
      hours.link +
      Math.min(1, hours.project * itemsOfHour) +
      (hours.link * units.linkHour + hours.project * units.projectHour * itemsOfHour) / unitsOfRead,
  };
};

/** Write units' kilobytes in a unit of consistent reads. */
const unitsOfRead = 4;

/** Which part a click has in something that begins so often. */
const sharesOf = (clicks: number): number => 1 / Math.max(1, clicks);
