import type { Item } from '../table/table.ts';
import type { HourAmounts } from './figure-items.ts';
import { figureNames } from './figures.ts';

/** One addition to an owner's figures. */
export interface RecentAddition {
  /** The owner's first addition has 1. */
  readonly number: number;
  readonly hours: readonly HourAmounts[];
}

/** What an item of figures says of the additions that days and hours may lack. */
export interface Recent {
  /** All additions up to this number are in the days and hours. */
  readonly settled: number;
  readonly texts: readonly string[];
}

/**
 * One text for each addition, because the local engine and DynamoDB charge by attribute and byte: names that
 * grew by the same amount in the same hour stand together.
 */
export const writeAddition = (hours: readonly HourAmounts[]): string =>
  JSON.stringify(
    hours.flatMap(({ hour, amounts }) => {
      const byAmount = Map.groupBy(amounts, ([, amount]) => amount);
      return [...byAmount].map(([amount, names]) => [hour, amount, ...names.map(([name]) => name)]);
    }),
  );

const readAddition = (text: string): HourAmounts[] =>
  (JSON.parse(text) as [hour: number, amount: number, ...names: string[]][]).map(
    ([hour, amount, ...names]) => ({ hour, amounts: new Map(names.map((name) => [name, amount])) }),
  );

export const recentOf = (item: Item | undefined): Recent => ({
  settled: Number(item?.[figureNames.settled] ?? 0),
  texts: (item?.[figureNames.recent] ?? []) as string[],
});

export const readAdditions = ({ settled, texts }: Recent): RecentAddition[] =>
  texts.map((text, i) => ({ number: settled + 1 + i, hours: readAddition(text) }));

/** Once an addition is made. What was returned with its own update is in the same order as the item's list. */
export const withAddition = ({ settled, texts }: Recent, text: string): Recent => ({
  settled,
  texts: [...texts, text],
});

/** Whether the texts have this many characters together. */
export const isDue = ({ texts }: Recent, characters: number): boolean =>
  texts.length > 0 && texts.reduce((sum, text) => sum + text.length, 0) >= characters;

/** The parts of an update that makes an addition; `SET` goes in front of the expression. */
export const appending = {
  expression: '#q = list_append(if_not_exists(#q, :none), :recent)',
  names: { '#q': figureNames.recent },
  values: (text: string) => ({ ':none': [], ':recent': [text] }),
};
