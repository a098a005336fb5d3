import type { Key } from './keys.ts';
import { met, type Part, type Updates } from './table.ts';

type Values = Readonly<Record<string, unknown>>;

/** An item's changes. Undefined values leave their attributes as they are. */
export interface ItemUpdate {
  readonly set?: Values;
  /** Values for attributes that the item doesn't have yet. */
  readonly first?: Values;
  /** Numbers to add, or sets with members to add. */
  readonly add?: Values;
  /** Sets with members to remove. */
  readonly take?: Values;
  readonly remove?: readonly string[];
  /** A condition: `#name` is an attribute, and `:name` a value of this update or of `values`. */
  readonly when?: string;
  /** Attributes for names in the condition that differ from them. */
  readonly names?: Readonly<Record<string, string>>;
  /** Further values of the condition. */
  readonly values?: Values;
}

const wordsIn = (when: string, sign: string): string[] =>
  when.match(new RegExp(`(?<=${sign})\\w+`, 'g')) ?? [];

/** The same kind of condition for writes other than updates. */
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

/** Puts an item that must not exist yet. */
export const putNew = (key: Key, attributes: object = {}): Part => ({
  Put: { Item: { ...key, ...attributes }, ConditionExpression: 'attribute_not_exists(PK)' },
});

/** An update in DynamoDB's syntax. Attributes get placeholder names, so that reserved words can be used. */
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

/** Updates an item. False if the condition isn't met. */
export const updateWhen = (table: Updates, key: Key, change: ItemUpdate): Promise<boolean> =>
  met(table.update(updateOf(key, change)));
