import { isRecord } from '../../../base/json-values.ts';
import { invalid, Rejected } from '../rejected.ts';
import { type Item, itemBytes, keptValue, nameFault, type Value } from '../values.ts';
import { type Condition, readCondition } from './conditions.ts';
import { type KeyCondition, readKeyCondition } from './key-condition.ts';
import { type Projection, readProjection } from './projection.ts';
import { type Given, Tokens } from './tokens.ts';
import { readUpdate, type Update } from './updates.ts';

type Input = Readonly<Record<string, unknown>>;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-expression-parameters */
const mostBytes = 2 * 1024 * 1024;
const mostPlaceholder = 255;

interface Parsed<Read> {
  readonly read: Read;
  readonly tokens: Tokens;
}

/** Caches parsed expressions, within a bound: most programs reuse a few, some put values into them. */
function remembered<Read>(kind: string, read: (tokens: Tokens) => Read): (text: string) => Parsed<Read> {
  const known = new Map<string, Parsed<Read>>();
  return (text) => {
    let found = known.get(text);
    if (!found) {
      if (known.size >= 1000) known.clear();
      const tokens = new Tokens(kind, text);
      found = { read: read(tokens), tokens };
      known.set(text, found);
    }
    return found;
  };
}

const conditions = remembered<Condition>('ConditionExpression', readCondition);
const filters = remembered<Condition>('FilterExpression', readCondition);
const keyConditions = remembered<KeyCondition>('KeyConditionExpression', readKeyCondition);
const projections = remembered<Projection>('ProjectionExpression', readProjection);
const updates = remembered<Update>('UpdateExpression', readUpdate);

/** The expressions of a call, with their names and values. */
export interface Expressions {
  readonly given: Given;
  readonly condition: Condition | undefined;
  readonly filter: Condition | undefined;
  readonly keyCondition: KeyCondition | undefined;
  readonly projection: Projection | undefined;
  readonly update: Update | undefined;
  /** Top-level attributes in the filter. */
  readonly filtered: readonly string[];
  /** Top-level attributes in the projection. */
  readonly shown: readonly string[];
}

const none: Expressions = {
  given: { names: {}, values: {} },
  condition: undefined,
  filter: undefined,
  keyCondition: undefined,
  projection: undefined,
  update: undefined,
  filtered: [],
  shown: [],
};

/** Reads the expressions of a call. Throws any fault that doesn't depend on the item. */
export function expressionsOf(input: Input): Expressions {
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = input;
  const texts = [
    input.ConditionExpression,
    input.FilterExpression,
    input.KeyConditionExpression,
    input.ProjectionExpression,
    input.UpdateExpression,
  ];
  if (texts.every((text) => text === undefined)) {
    if (names !== undefined)
      throw invalid('ExpressionAttributeNames can only be specified when using expressions');
    if (values !== undefined)
      throw invalid('ExpressionAttributeValues can only be specified when using expressions');
    return none;
  }
  const given = { names: namesOf(names), values: valuesOf(values) };
  mustFit(given);
  const [condition, filter, keyCondition, projection, update] = [
    parsed(conditions, texts[0]),
    parsed(filters, texts[1]),
    parsed(keyConditions, texts[2]),
    parsed(projections, texts[3]),
    parsed(updates, texts[4]),
  ];
  const all = [update, projection, keyCondition, filter, condition].flatMap((one) => one?.tokens ?? []);
  mustBeDefined(all, given);
  mustBeUsed(all, given);
  for (const { checks } of all) for (const check of checks) check(given);
  return {
    given,
    condition: condition?.read,
    filter: filter?.read,
    keyCondition: keyCondition?.read,
    projection: projection?.read,
    update: update?.read,
    filtered: filter?.tokens.roots(given) ?? [],
    shown: projection?.tokens.roots(given) ?? [],
  };
}

/** The projection of a call that reads items by their keys; other expressions are ignored. */
export const projectionOf = ({ ProjectionExpression, ExpressionAttributeNames }: Input): Expressions =>
  expressionsOf({ ProjectionExpression, ExpressionAttributeNames });

const parsed = <Read>(parse: (text: string) => Parsed<Read>, text: unknown): Parsed<Read> | undefined =>
  text === undefined || text === null ? undefined : parse(String(text));

function namesOf(names: unknown): Given['names'] {
  if (names === undefined || names === null) return {};
  if (!isRecord(names)) throw invalid('ExpressionAttributeNames must be a map');
  if (Object.keys(names).length === 0) throw invalid('ExpressionAttributeNames must not be empty');
  for (const placeholder in names) {
    mustBePlaceholder('Names', placeholder);
    const fault = nameFault(String(names[placeholder]));
    if (fault)
      throw invalid(`ExpressionAttributeNames contains invalid value: ${fault} for key ${placeholder}`);
  }
  return names as Given['names'];
}

const placeholders = { Names: /^#[A-Za-z0-9_]+$/, Values: /^:[A-Za-z0-9_]+$/ };

function mustBePlaceholder(kind: 'Names' | 'Values', text: string): void {
  const fault = `ExpressionAttribute${kind} contains invalid key:`;
  if (!placeholders[kind].test(text)) throw invalid(`${fault} Syntax error; key: "${text}"`);
  if (text.length > mostPlaceholder)
    throw invalid(
      `${fault} The expression attribute map contains a key that is too long; size of key: ${text.length}`,
    );
}

function mustFit({ names, values }: Given): void {
  // Every value is an item's attribute of its placeholder's name.
  let bytes = itemBytes(values);
  for (const name in names) bytes += name.length + Buffer.byteLength(String(names[name]));
  if (bytes > mostBytes)
    throw invalid('Combined size of ExpressionAttributeNames and ExpressionAttributeValues exceeds max size');
}

function valuesOf(values: unknown): Item {
  if (values === undefined || values === null) return {};
  if (!isRecord(values)) throw invalid('ExpressionAttributeValues must be a map');
  const kept: Record<string, Value> = Object.create(null);
  let isEmpty = true;
  for (const name in values) {
    kept[name] = givenValue(name, values[name]);
    isEmpty = false;
  }
  if (isEmpty) throw invalid('ExpressionAttributeValues must not be empty');
  return kept;
}

function givenValue(name: string, value: unknown): Value {
  mustBePlaceholder('Values', name);
  try {
    return keptValue(value);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    throw invalid(`ExpressionAttributeValues contains invalid value: ${error.message} for key ${name}`);
  }
}

function mustBeDefined(all: readonly Tokens[], { names, values }: Given): void {
  for (const tokens of all) {
    for (const name of tokens.names)
      if (!Object.hasOwn(names, name))
        throw tokens.error(
          `An expression attribute name used in the document path is not defined; attribute name: ${name}`,
        );
    for (const name of tokens.values)
      if (!Object.hasOwn(values, name))
        throw tokens.error(
          `An expression attribute value used in expression is not defined; attribute value: ${name}`,
        );
  }
}

function mustBeUsed(all: readonly Tokens[], { names, values }: Given): void {
  for (const [kind, given] of [
    ['Names', names],
    ['Values', values],
  ] as const) {
    const unused: string[] = [];
    for (const name in given)
      if (!all.some((one) => one.names.has(name) || one.values.has(name))) unused.push(name);
    if (unused.length > 0)
      throw invalid(
        `Value provided in ExpressionAttribute${kind} unused in expressions: keys: {${unused.join(', ')}}`,
      );
  }
}
