import type { Item } from '../table/table.ts';

/** Attributes of an item and their increments. */
export type Amounts = ReadonlyMap<string, number>;

/** Amounts that grow; one of 0 has no entry. */
export class Counts extends Map<string, number> {
  add(name: string, amount: number): void {
    if (amount > 0) this.set(name, (this.get(name) ?? 0) + amount);
  }
}

/** DynamoDB takes expressions of 4 KB. That is some 300 of the names that `addAmounts` makes. */
const namesAtOnce = 250;

/** As many of the first ones as one update can add, at least one. */
export const firstPortion = <Part>(
  parts: readonly Part[],
  namesOf: (part: Part) => Iterable<string>,
): readonly Part[] => {
  const names = new Set<string>();
  const end = parts.findIndex((part, i) => {
    for (const name of namesOf(part)) names.add(name);
    return i > 0 && names.size > namesAtOnce;
  });
  return end < 0 ? parts : parts.slice(0, end);
};

/** Amounts that are added to an item, as parts of an update. */
export const addAmounts = (amounts: Amounts) => {
  const counts = [...amounts];
  return {
    add: counts.length === 0 ? '' : `ADD ${counts.map((_, i) => `#c${i} :c${i}`).join(', ')} `,
    names: Object.fromEntries(counts.map(([attribute], i) => [`#c${i}`, attribute])),
    values: Object.fromEntries(counts.map(([, n], i) => [`:c${i}`, n])),
  };
};

/** An item as it is after amounts were added. */
export const withAmounts = (item: Item, amounts: Amounts): Item => ({
  ...item,
  ...Object.fromEntries([...amounts].map(([name, amount]) => [name, Number(item[name] ?? 0) + amount])),
});
