import { type Answer, comparable, type Difference } from './answers.ts';
import type { Item } from './random-values.ts';

/** Known differences from DynamoDB Local, with reasons. */
interface KnownDifference {
  readonly about: string;
  readonly covers: (difference: Difference) => boolean;
}

const typeOf = ({ body }: Answer): string => String(body.__type ?? '');
const messageOf = ({ body }: Answer): string => String(body.message ?? '');
const isOf =
  (...operations: readonly string[]) =>
  ({ call }: Difference) =>
    operations.includes(call.operation);

/** Without these members the answers are the same. */
const sameWithout =
  (...names: readonly string[]): KnownDifference['covers'] =>
  ({ ours, theirs }) => {
    const rest = ({ status, body }: Answer) =>
      JSON.stringify([status, Object.entries(body).filter(([name]) => !names.includes(name))]);
    return rest(ours) === rest(theirs);
  };

const units = ({ body }: Answer): number =>
  [body.ConsumedCapacity ?? []].flat().reduce((sum, one) => sum + Number(one.CapacityUnits), 0);

function namesAnItemTwice(parts: unknown): boolean {
  const items = (parts as Record<string, Record<string, Item>>[]).map((part) => {
    const { TableName, Key, Item: item = Key } = Object.values(part)[0] ?? {};
    const key = ['PK', 'SK', 'id', 'num', 'raw'].map((name) => item?.[name]);
    return JSON.stringify(comparable([TableName, key]));
  });
  return new Set(items).size < items.length;
}

/** Wrong calls are often wrong in two ways, and the one that is named depends on the order of checks. */
const both =
  (ours: RegExp, theirs: RegExp): KnownDifference['covers'] =>
  (difference) =>
    ours.test(`${typeOf(difference.ours)} ${messageOf(difference.ours)}`) &&
    theirs.test(`${typeOf(difference.theirs)} ${messageOf(difference.theirs)}`);

export const knownDifferences: readonly KnownDifference[] = [
  {
    about: 'DynamoDB Local charges nothing for a read of what is not there. AWS charges the smallest read.',
    covers: (difference) =>
      isOf('Query', 'BatchGetItem', 'TransactGetItems')(difference) &&
      sameWithout('ConsumedCapacity')(difference) &&
      units(difference.ours) > units(difference.theirs),
  },
  {
    about:
      'In transactions and batches, DynamoDB Local charges deletes and checks of absent items otherwise: AWS charges the smallest write for each.',
    covers: (difference) =>
      isOf('TransactWriteItems', 'BatchWriteItem')(difference) && sameWithout('ConsumedCapacity')(difference),
  },
  {
    about: 'DynamoDB Local returns the capacity of a DeleteItem that asks for NONE.',
    covers: (difference) =>
      isOf('DeleteItem')(difference) &&
      difference.call.input.ReturnConsumedCapacity === 'NONE' &&
      sameWithout('ConsumedCapacity')(difference),
  },
  {
    about:
      'DynamoDB Local refuses a transaction whose update does not fit its item. AWS cancels it, with the documented reason ValidationError.',
    covers: both(/^TransactionCanceled.*ValidationError/, /^ValidationException/),
  },
  {
    about: 'DynamoDB Local cancels a read, with a message that names no reason, where AWS refuses the key.',
    covers: (difference) =>
      isOf('TransactGetItems')(difference) && typeOf(difference.theirs) === 'TransactionCanceledException',
  },
  {
    about: 'DynamoDB Local cancels a transaction for a key that isn’t the table’s. AWS refuses the call.',
    covers: both(/^ValidationException .*(key|Key)/, /^TransactionCanceledException.*ValidationError/),
  },
  {
    about:
      'DynamoDB Local returns the whole map or list if an update changes a part of it. AWS returns what was updated.',
    covers: (difference) =>
      /[.[]/.test(String(difference.call.input.UpdateExpression)) &&
      /^UPDATED/.test(String(difference.call.input.ReturnValues)) &&
      sameWithout('Attributes')(difference),
  },
  {
    about: 'In a scan of an index, DynamoDB Local’s filter sees attributes that the index doesn’t have.',
    covers: ({ call, ours, theirs }) =>
      call.operation === 'Scan' &&
      call.input.IndexName !== undefined &&
      call.input.FilterExpression !== undefined &&
      ours.status === 200 &&
      ours.body.ScannedCount === theirs.body.ScannedCount,
  },
  {
    about: 'Which segment of a scan has an item is up to the engine.',
    covers: ({ call, ours, theirs }) =>
      call.input.TotalSegments !== undefined && ours.status === 200 && theirs.status === 200,
  },
  {
    about:
      'DynamoDB Local also charges a local index’s query for items that lack an attribute of the projection.',
    covers: (difference) =>
      isOf('Query')(difference) &&
      difference.call.input.IndexName === 'texts' &&
      sameWithout('ConsumedCapacity')(difference) &&
      units(difference.ours) < units(difference.theirs),
  },
  {
    about:
      'An update replaces one key attribute of an index by the other, so the index has the item neither before nor after. DynamoDB Local charges a write to it.',
    covers: (difference) =>
      isOf('UpdateItem')(difference) &&
      /^REMOVE LPK SET LSK = /.test(String(difference.call.input.UpdateExpression)) &&
      sameWithout('ConsumedCapacity')(difference) &&
      units(difference.ours) === units(difference.theirs) - 1,
  },
  {
    about: 'DynamoDB Local looks at the token of a transaction before its keys.',
    covers: both(/^ValidationException/, /^IdempotentParameterMismatchException/),
  },
  {
    about: 'DynamoDB Local refuses to go on behind an item that is just at the end of the range.',
    covers: (difference) =>
      difference.ours.body.ScannedCount === 0 &&
      /^The provided starting key does not match/.test(messageOf(difference.theirs)),
  },
  {
    about:
      'DynamoDB Local looks for two operations on one item while it evaluates conditions, so the order decides which fault it names.',
    covers: ({ call }) =>
      call.operation === 'TransactWriteItems' && namesAnItemTwice(call.input.TransactItems),
  },
  {
    about:
      'DynamoDB Local takes any ReturnValuesOnConditionCheckFailure in a transaction. AWS refuses unknown ones.',
    covers: both(/^ValidationException .*returnValuesOnConditionCheckFailure/, /./),
  },
  {
    about: 'DynamoDB Local fails on values without a type.',
    covers: ({ ours, theirs }) => ours.status === 400 && theirs.status === 500,
  },
  {
    about:
      'A page that ends exactly at the end of its range: DynamoDB Local may leave out the LastEvaluatedKey. AWS documents that only its absence means that nothing follows.',
    covers: (difference) =>
      isOf('Query')(difference) &&
      difference.theirs.body.LastEvaluatedKey === undefined &&
      sameWithout('LastEvaluatedKey')(difference),
  },
];

interface OtherWords {
  readonly about: string;
  /** DynamoDB Local's. */
  readonly words: RegExp;
}

const otherWords: readonly OtherWords[] = [
  {
    about: 'DynamoDB Local doesn’t name the attribute, key, table or index. AWS does.',
    words:
      /^(One of the required keys was not given|.* Type mismatch for (key|Index Key)$|Query condition missed key schema element$|Cannot do operations on a non-existent|Cannot create preexisting|No Attribute Schema|.*attempted to update a secondary index key)/,
  },
  {
    about: 'DynamoDB Local has a check of its own before those of AWS.',
    words:
      /^(The number of conditions on the keys|Hash primary key values must be under|Return values set to invalid|Invalid table\/index name|BatchGetItem must have|BatchWriteItem cannot have|Invalid Request: TransactWriteRequest)/,
  },
  {
    about: 'DynamoDB Local says what is wrong with a number, set or member in words of its own.',
    words:
      /(cannot be converted into a number|only supports precision|Input collection .*contains duplicates|more than one datatypes set|^Value .* at '\w+' failed|at 'segment' failed|Limit must be|total segments?\b|has empty list|or empty: Product|ConditionExpression is null)/,
  },
  {
    about: 'DynamoDB Local leaves out the size, or says where it looked.',
    words:
      /(exceeded the maximum allowed size;$|key that is too long;$|^ExpressionAttributeValues exceeds|Nesting Levels have exceeded supported limits: )/,
  },
  { about: 'DynamoDB Local lists types in the order of a hash table.', words: /valid types: \{/ },
  {
    about: 'Of several faults, DynamoDB Local names another one.',
    words:
      /(Two document paths overlap|The document path provided|The provided starting key is invalid$|attribute name used)/,
  },
];

/** Whether a refusal has the words of DynamoDB Local's. Its checks of conditions end with a full stop now and then. */
export function hasWordsOf(theirs: Answer, ours: Answer): boolean {
  const words = ({ body }: Answer) =>
    JSON.stringify([body.message, body.CancellationReasons]).replaceAll('request failed.', 'request failed');
  return words(ours) === words(theirs) || otherWords.some(({ words }) => words.test(messageOf(theirs)));
}

/** An answer without the words of refusals: random calls often have several faults. */
export const withoutWords = ({ status, body }: Answer): Answer => {
  if (status === 200) return { status, body };
  const { message: _, CancellationReasons: reasons, ...rest } = body;
  const wordless = reasons?.map(({ message: _, ...reason }: { readonly message?: string }) => reason);
  return { status, body: comparable({ ...rest, ...(wordless && { CancellationReasons: wordless }) }) };
};
