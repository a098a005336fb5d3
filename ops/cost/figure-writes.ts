import { settledAt } from '../../core/clicks/settlement.ts';

/** What a batch of the table's stream holds on average, all of one project. */
export interface Spread {
  readonly name: string;
  readonly says: string;
  readonly clicksInBatch: number;
  readonly linksInBatch: number;
  readonly clicksAnHour: { readonly link: number; readonly project: number };
  /** Write units of the items of figures, watermarks of four partitions included. */
  readonly units: {
    readonly link: number;
    readonly project: number;
    /** A project's hour, and its day by link. */
    readonly byLink: number;
  };
}

interface ClickTexts {
  readonly charactersOfLinkClick: number;
  readonly charactersOfProjectClick: number;
}

/** Write units a click, from the characters of a click's text. */
export const figureWrites = (measured: ClickTexts, spread: Spread): number => {
  const { clicksInBatch, linksInBatch, clicksAnHour, units } = spread;
  const ofLink = additionUnits({
    clicks: clicksInBatch / linksInBatch,
    clicksAnHour: clicksAnHour.link,
    characters: measured.charactersOfLinkClick,
    item: units.link,
    day: 1,
    hour: 1,
  });
  const ofProject = additionUnits({
    clicks: clicksInBatch,
    clicksAnHour: clicksAnHour.project,
    characters: measured.charactersOfProjectClick,
    item: units.project,
    day: 1 + units.byLink,
    hour: units.byLink,
  });
  return (linksInBatch * ofLink + ofProject) / clicksInBatch;
};

interface Additions {
  /** Of one addition. */
  readonly clicks: number;
  readonly clicksAnHour: number;
  /** Of a click's text. */
  readonly characters: number;
  /** Write units of the owner's item, and of what belongs to a day and to an hour. */
  readonly item: number;
  readonly day: number;
  readonly hour: number;
}

/** Write units of an addition with its part of a settlement, which writes the owner's item again. */
const additionUnits = ({ clicks, clicksAnHour, characters, item, day, hour }: Additions): number => {
  const additions = Math.max(1, settledAt / (characters * clicks));
  const hours = (additions * clicks) / clicksAnHour;
  const spans = (count: number) => Math.min(additions, Math.max(1, count));
  return item + (item + spans(hours) * hour + spans(hours / 24) * day) / additions;
};
