import type { Key } from './keys.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a write changes of an item. A value that is undefined says nothing of its attribute. */
export interface Update {
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
  /** Further values of the condition. */
  readonly values?: Values;
}

/** What DynamoDB takes as one update. */
export interface UpdateInput {
  readonly Key: Key;
  readonly UpdateExpression: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

const namesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [`#${name}`, name]));
const valuesOf = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value]));

/** A condition of a write that is no update, in the same words. */
export const conditionOf = (when: string, values?: Values) => ({
  ConditionExpression: when,
  ExpressionAttributeNames: namesOf(namesIn(when)),
  ...(values && { ExpressionAttributeValues: valuesOf(values) }),
});

const namesIn = (when = ''): string[] => (when.match(/#\w+/g) ?? []).map((name) => name.slice(1));

/** One update in DynamoDB's words; every attribute goes by a name of its own, so none is a reserved word. */
export const updateOf = (
  Key: Key,
  { set = {}, first = {}, add = {}, take = {}, remove = [], when, values = {} }: Update,
): UpdateInput => {
  const written = [set, first, add, take].map((one) =>
    Object.keys(one).filter((name) => one[name] !== undefined),
  );
  const [toSet = [], toSetFirst = [], toAdd = [], toTake = []] = written;
  const clauses = {
    SET: [
      ...toSet.map((name) => `#${name} = :${name}`),
      ...toSetFirst.map((name) => `#${name} = if_not_exists(#${name}, :${name})`),
    ],
    REMOVE: remove.map((name) => `#${name}`),
    ADD: toAdd.map((name) => `#${name} :${name}`),
    DELETE: toTake.map((name) => `#${name} :${name}`),
  };
  const given = Object.entries({ ...set, ...first, ...add, ...take, ...values });
  const stated = given.filter(([, value]) => value !== undefined);
  return {
    Key,
    UpdateExpression: Object.entries(clauses)
      .flatMap(([verb, parts]) => (parts.length > 0 ? [`${verb} ${parts.join(', ')}`] : []))
      .join(' '),
    ...(when !== undefined && { ConditionExpression: when }),
    ExpressionAttributeNames: namesOf([...written.flat(), ...remove, ...namesIn(when)]),
    ...(stated.length > 0 && { ExpressionAttributeValues: valuesOf(Object.fromEntries(stated)) }),
  };
};
