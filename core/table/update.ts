import type { Key } from './keys.ts';
import { met, type Part, type Updates } from './table.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a write changes of an item. A value that is undefined says nothing of its attribute. */
export interface ItemUpdate {
  readonly set?: Values;
  /** Written only where the item has no such attribute. */
  readonly first?: Values;
  /** Numbers to add, or sets whose members are put in. */
  readonly add?: Values;
  /** Sets whose members are taken out. */
  readonly take?: Values;
  readonly remove?: readonly string[];
  /** A condition: `#name` is the attribute of that name, and `:name` a value of that name from here or from `values`. */
  readonly when?: string;
  /** What other names of the condition stand for. */
  readonly names?: Readonly<Record<string, string>>;
  /** Further values of the condition. */
  readonly values?: Values;
}

const wordsIn = (when: string, sign: string): string[] =>
  when.match(new RegExp(`(?<=${sign})\\w+`, 'g')) ?? [];

/** A condition of a write that is no update, in the same words. */
export const conditionOf = (when: string, values: Values = {}, names: ItemUpdate['names'] = {}) => {
  const given = wordsIn(when, ':').map((name) => [`:${name}`, values[name]]);
  return {
    ConditionExpression: when,
    ExpressionAttributeNames: Object.fromEntries(
      wordsIn(when, '#').map((name) => [`#${name}`, names[name] ?? name]),
    ),
    ...(given.length > 0 && { ExpressionAttributeValues: Object.fromEntries(given) }),
  };
};

/** Puts an item that must not be there yet. */
export const putNew = (key: Key, attributes: object = {}): Part => ({
  Put: { Item: { ...key, ...attributes }, ConditionExpression: 'attribute_not_exists(PK)' },
});

/** One update in DynamoDB's words; every attribute goes by a short name, so none is a reserved word. */
export const updateOf = (Key: Key, change: ItemUpdate) => {
  const { set = {}, first = {}, add = {}, take = {}, remove = [], when = '', values } = change;
  const condition = conditionOf(when, { ...set, ...first, ...add, ...take, ...values }, change.names);
  const names: Record<string, string> = condition.ExpressionAttributeNames;
  const given: Record<string, unknown> = { ...condition.ExpressionAttributeValues };
  let count = 0;
  const nameOf = (attribute: string): string => {
    count += 1;
    names[`#n${count}`] = attribute;
    return `#n${count}`;
  };
  const parts = (written: Values, form: (name: string, value: string) => string): string[] =>
    Object.entries(written).flatMap(([attribute, value]) => {
      if (value === undefined) return [];
      const name = nameOf(attribute);
      given[`:n${count}`] = value;
      return [form(name, `:n${count}`)];
    });
  const clauses = {
    SET: [
      ...parts(set, (name, value) => `${name} = ${value}`),
      ...parts(first, (name, value) => `${name} = if_not_exists(${name}, ${value})`),
    ],
    REMOVE: remove.map(nameOf),
    ADD: parts(add, (name, value) => `${name} ${value}`),
    DELETE: parts(take, (name, value) => `${name} ${value}`),
  };
  return {
    Key,
    UpdateExpression: Object.entries(clauses)
      .flatMap(([verb, of]) => (of.length > 0 ? [`${verb} ${of.join(', ')}`] : []))
      .join(' '),
    ...(when && { ConditionExpression: when }),
    ExpressionAttributeNames: names,
    ...(Object.keys(given).length > 0 && { ExpressionAttributeValues: given }),
  };
};

/** Makes an update. False if its condition is not met. */
export const updateWhen = (table: Updates, key: Key, change: ItemUpdate): Promise<boolean> =>
  met(table.update(updateOf(key, change)));
