/** Attributes of an item and their increments. */
export type Amounts = ReadonlyMap<string, number>;

/** Amounts that grow; amounts of 0 have no entry. */
export class Tally extends Map<string, number> {
  add(name: string, amount: number): void {
    if (amount > 0) this.set(name, (this.get(name) ?? 0) + amount);
  }
}

/** The most names in an update: DynamoDB's limit of 4 KB allows about 300 additions. */
const namesAtOnce = 250;

/** The first parts, as many as one update can add, but at least one. */
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
