import * as fc from 'fast-check';

/** A write without its values. */
export interface WriteTemplate {
  readonly kind: 'Put' | 'Update' | 'Delete';
  readonly update?: string | undefined;
  readonly condition?: string | undefined;
  /** Attributes by their placeholders. */
  readonly names?: Readonly<Record<string, string>> | undefined;
  /** Types of values by their placeholders. */
  readonly types?: Readonly<Record<string, string>> | undefined;
}

const texts = fc.constantFrom('a', 'b', 'ab', 'é', '😀', '￿', '', 'x'.repeat(300));
const numbers = fc.oneof(
  fc.integer({ min: -2, max: 5 }).map(String),
  fc.constantFrom('1.5', '0', '-0', '07', '1e3', '999999999999999', '9007199254740993', '0.1'),
);
const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  S: texts,
  N: numbers,
  BOOL: fc.boolean(),
  NULL: fc.constant(true),
  B: fc.constantFrom('AA==', '/w=='),
  SS: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
  NS: fc.uniqueArray(fc.constantFrom('1', '2'), { minLength: 1 }),
  L: fc.array(
    texts.map((S) => ({ S })),
    { maxLength: 2 },
  ),
  M: fc.dictionary(
    fc.constantFrom('x', 'constructor', '__proto__'),
    numbers.map((N) => ({ N })),
    { maxKeys: 2 },
  ),
};
const ofType = (type: string) => (values[type] ?? fc.constant(undefined)).map((value) => ({ [type]: value }));
const anyValue = fc.constantFrom(...Object.keys(values)).chain(ofType);

interface DrawnCall {
  readonly operation: string;
  readonly input: (start: string) => object;
}

const tableName = 'Written';

/** Calls of templates with random values, on few items that already have random attributes of the templates. */
export const callsOf = (templates: readonly WriteTemplate[]): fc.Arbitrary<readonly DrawnCall[]> => {
  const attributes = [...new Set(['n', ...templates.flatMap(({ names = {} }) => Object.values(names))])];
  const item = fc.dictionary(fc.constantFrom(...attributes), anyValue, { maxKeys: 4 });
  const setting = callOf({ kind: 'Put' }, item);
  const singleOf = (some: readonly WriteTemplate[]) => {
    const drawn = some.map((template) => ({ weight: 1, arbitrary: callOf(template, item) }));
    return fc.oneof(...drawn, { weight: Math.ceil(some.length / 5) || 1, arbitrary: setting });
  };
  const single = singleOf(templates);
  // In transactions the engine takes updates of keys, which DynamoDB refuses, and keeps an item without its key.
  const parts = singleOf(templates.filter((template) => !updatesKey(template)));
  const transaction = fc.array(parts, { minLength: 1, maxLength: 3 }).map(transactionOf);
  return fc.array(fc.oneof({ weight: 3, arbitrary: single }, { weight: 1, arbitrary: transaction }), {
    minLength: 15,
    maxLength: 40,
  });
};

const updatesKey = ({ update = '', names = {} }: WriteTemplate): boolean =>
  /\b[PS]K\b/.test([update, ...Object.values(names)].join(' '));

const transactionOf = (parts: readonly DrawnCall[]): DrawnCall => ({
  operation: 'TransactWriteItems',
  input: (start) => ({
    TransactItems: parts.map(({ operation, input }) => {
      const { ReturnValues: _, ...part } = input(start) as { readonly ReturnValues?: string };
      return { [operation.replace('Item', '')]: part };
    }),
  }),
});

const callOf = (
  { kind, update, condition, names, types = {} }: WriteTemplate,
  item: fc.Arbitrary<Record<string, unknown>>,
): fc.Arbitrary<DrawnCall> =>
  fc
    .record({
      id: fc.constantFrom('1', '2', '3'),
      item,
      given: fc.record(Object.fromEntries(Object.entries(types).map(([name, type]) => [name, ofType(type)]))),
      old: fc.constantFrom({}, { ReturnValues: 'ALL_OLD' }),
      failed: fc.constantFrom({}, { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    })
    .map(({ id, item: attributes, given, old, failed }) => ({
      operation: `${kind}Item`,
      input: (start) => {
        const key = { PK: { S: `${start}${id}` }, SK: { S: 'x' } };
        return {
          TableName: tableName,
          ...(kind === 'Put' ? { Item: { ...attributes, ...key } } : { Key: key }),
          ...(update !== undefined && { UpdateExpression: update }),
          ...(condition !== undefined && { ConditionExpression: condition, ...failed }),
          ...(names && Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
          ...(Object.keys(given).length > 0 && { ExpressionAttributeValues: given }),
          ...old,
        };
      },
    }));

/** The number of runs, `byDay` or a multiple, and the seed that repeats a run. */
export const writeRuns = (byDay: number) => ({
  seed: Number(process.env.WRITES_SEED ?? Date.now() % 2 ** 31),
  numRuns: byDay * Number(process.env.WRITES_TIMES ?? 1),
});
