/** Attributes of an item and their increments. */
export type Amounts = ReadonlyMap<string, number>;

/** Amounts that grow; one of 0 has no entry. */
export class Tally extends Map<string, number> {
  add(name: string, amount: number): void {
    if (amount > 0) this.set(name, (this.get(name) ?? 0) + amount);
  }
}

/** DynamoDB takes expressions of 4 KB: some 300 additions. */
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
