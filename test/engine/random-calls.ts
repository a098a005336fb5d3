import type { WriteTemplate } from '../../local/test/table-gateway/write-templates.ts';
import type { Dice } from '../support/dice.ts';
import type { TableName } from './judged-tables.ts';
import { Drawn, maimed } from './random-expressions.ts';
import { contentOf, type Item, largeContent, oddNumber, oddValue, valueOfType } from './random-values.ts';

export interface Call {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const sortTexts = ['a', 'ab', 'a', 'ab', 'b', 'b#1', 'é', '\uffff', '😀'];
const sortNumbers = '-10 0 1 0 1 -1.5 2 10 1e2 12345678901234567890123456789012345678'.split(' ');

const numbered = (num = '1') => ({ id: { S: 'p' }, num: { N: num } });

/** Stores a number as key and attribute, adds another in both ways, and reads the sums. */
export const numericCalls = (dice: Dice): Call[] => {
  const [n, other] = [oddNumber(dice), oddNumber(dice)];
  const TableName = 'Numbered';
  const values = { ':other': { N: other } };
  const update = (UpdateExpression: string): Call => ({
    operation: 'UpdateItem',
    input: {
      TableName,
      Key: numbered(),
      UpdateExpression,
      ExpressionAttributeValues: values,
      ReturnValues: 'ALL_NEW',
    },
  });
  return [
    {
      operation: 'PutItem',
      input: { TableName, Item: { ...numbered(), n: { N: n }, ns: { NS: [n, other] } } },
    },
    { operation: 'PutItem', input: { TableName, Item: { ...numbered(), n: { N: n } } } },
    update('SET n = n + :other'),
    update('SET n = n - :other'),
    update('ADD n :other'),
    { operation: 'PutItem', input: { TableName, Item: numbered(n) } },
    { operation: 'GetItem', input: { TableName, Key: numbered(n) } },
    { operation: 'DeleteItem', input: { TableName, Key: numbered(n) } },
  ];
};

/** Stores an item at the limit of size, and lets another grow to it. */
export const largeCalls = (dice: Dice): Call[] => {
  const [TableName, ReturnConsumedCapacity] = ['Numbered', 'TOTAL'];
  const Item = { ...numbered('2'), ...largeContent(dice, 'idp'.length + 'num'.length + 2) };
  const [[name, text] = ['', {}]] = Object.entries(largeContent(dice, 'idp'.length + 'num'.length + 2));
  return [
    { operation: 'PutItem', input: { TableName, Item, ReturnConsumedCapacity } },
    {
      operation: 'UpdateItem',
      input: {
        ...{ TableName, Key: numbered('3'), ReturnConsumedCapacity, UpdateExpression: 'SET #name = :text' },
        ...{ ExpressionAttributeNames: { '#name': name }, ExpressionAttributeValues: { ':text': text } },
      },
    },
    ...['2', '3'].map((num) => ({
      operation: 'DeleteItem',
      input: { TableName, Key: numbered(num), ReturnConsumedCapacity },
    })),
  ];
};

/** Draws calls on a few items of the judged tables. */
export class RandomCalls {
  readonly #dice: Dice;
  readonly #forms: readonly WriteTemplate[];
  #drawn = 0;
  /** Tokens are remembered longer than tables. */
  readonly #token: number;

  constructor(dice: Dice, forms: readonly WriteTemplate[]) {
    this.#dice = dice;
    this.#token = dice.below(2 ** 31);
    this.#forms = forms;
  }

  draw(): Call {
    const dice = this.#dice;
    const r = dice.below(100);
    if (r < 18) return this.#product();
    if (r < 26) return this.#listed();
    if (r < 42) return this.#update();
    if (r < 52) return this.#put();
    if (r < 57) return this.#delete();
    if (r < 65) return this.#get();
    if (r < 82) return this.#query();
    if (r < 85) return this.#scan();
    if (r < 89) return this.#batchGet();
    if (r < 92) return this.#batchWrite();
    if (r < 98) return this.#transact();
    return this.#transactGet();
  }

  #partition(): string {
    return this.#dice.pick(['p', 'q']);
  }

  #table(): TableName {
    return this.#dice.pick(['Product', 'Product', 'Numbered', 'Single'] as const);
  }

  #key(table: TableName): Item {
    const dice = this.#dice;
    if (dice.once(60)) return this.#oddKey(table);
    if (table === 'Product') return { PK: { S: this.#partition() }, SK: { S: dice.pick(sortTexts) } };
    if (table === 'Numbered') return { id: { S: this.#partition() }, num: { N: dice.pick(sortNumbers) } };
    return { raw: { B: Buffer.from(dice.pick(['0', 'a', 'ÿ']), 'latin1').toString('base64') } };
  }

  #oddKey(table: TableName): Item {
    return this.#dice.pick<Item>([
      {},
      { PK: { S: '' }, SK: { S: 'a' } },
      { PK: { S: 'p' } },
      { PK: { S: 'p' }, SK: { S: '' } },
      { PK: { S: 'p' }, SK: { N: '1' } },
      { PK: { S: 'p' }, SK: { S: 'a' }, more: { S: 'a' } },
      { PK: { S: 'p'.repeat(2049) }, SK: { S: 'a' } },
      { PK: { S: 'p' }, SK: { S: 'a'.repeat(1025) } },
      { id: { S: 'p' }, num: { N: 'x' } },
      { id: { S: 'p' }, num: { S: '1' } },
      { raw: { B: '' } },
      { raw: { S: table } },
      { raw: { B: '!!' } },
    ]);
  }

  #item(table: TableName): Item {
    const dice = this.#dice;
    const own = contentOf(dice);
    const key = this.#key(table);
    if (table === 'Product' && dice.once(3))
      Object.assign(own, { LPK: { S: this.#partition() }, LSK: { S: this.#unique() } });
    if (table === 'Numbered' && dice.once(2)) own.kind = key.id ?? { S: 'p' };
    if (table === 'Numbered' && dice.once(2)) own.text = { S: this.#unique() };
    if (dice.once(40)) own.LPK = valueOfType(dice, dice.pick(['S', 'N', 'NULL']));
    if (dice.once(60)) own.text = dice.pick([{ S: '' }, { N: '1' }]);
    return { ...own, ...key };
  }

  /** Items with the same index key are in no order that is promised. */
  #unique(): string {
    this.#drawn += 1;
    return `${this.#dice.pick(sortTexts)}#${this.#drawn}`;
  }

  #consumed(): object {
    return { ReturnConsumedCapacity: this.#dice.pick(['TOTAL', 'INDEXES', 'NONE']) };
  }

  /** A form that the product sends, with random values. */
  #product(): Call {
    const dice = this.#dice;
    const form = dice.pick(this.#forms);
    const { kind, update } = form;
    const input = this.#ofForm(form);
    const kinds =
      kind === 'Update' ? ['ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW', 'NONE'] : ['ALL_OLD', 'NONE'];
    return {
      operation: `${kind}Item`,
      input: {
        ...input,
        ...this.#consumed(),
        ...(update && dice.once(2) && { ReturnValues: dice.pick(kinds) }),
      },
    };
  }

  #ofForm({ kind, update, condition, names, types = {} }: WriteTemplate): Record<string, unknown> {
    const dice = this.#dice;
    const near = Object.values(names ?? {}).filter((name) => !['PK', 'SK'].includes(name));
    const item = this.#item('Product');
    for (const name of near)
      if (dice.once(2)) item[name] = valueOfType(dice, dice.pick(['S', 'N', 'N', 'SS']));
    const values = Object.entries(types).map(([name, type]) => [
      name,
      dice.once(60) ? oddValue(dice) : valueOfType(dice, type),
    ]);
    return {
      TableName: 'Product',
      ...(kind === 'Put' ? { Item: item } : { Key: this.#key('Product') }),
      ...(update && { UpdateExpression: update }),
      ...(condition && { ConditionExpression: condition }),
      ...(condition && dice.once(2) && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
      ...(names && Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
      ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
    };
  }

  /** Moves an item in an index. */
  #listed(): Call {
    const dice = this.#dice;
    const [table, pk, sk] = dice.pick([
      ['Product', 'LPK', 'LSK'],
      ['Numbered', 'kind', '#text'],
    ] as const);
    const Key = this.#key(table);
    return {
      operation: 'UpdateItem',
      input: {
        TableName: table,
        Key,
        UpdateExpression: dice.pick([
          `SET ${pk} = :p, ${sk} = :s, n = :n`,
          `REMOVE ${pk} SET ${sk} = :s, l[0] = :n, s = :p`,
          `SET ${pk} = :p, s = :s, n = :n`,
        ]),
        ...(sk.startsWith('#') && { ExpressionAttributeNames: { [sk]: 'text' } }),
        ExpressionAttributeValues: {
          ':p': Key.id ?? { S: this.#partition() },
          ':s': dice.once(20) ? dice.pick([oddValue(dice), { S: '' }]) : { S: this.#unique() },
          ':n': valueOfType(dice, 'N'),
        },
        ReturnConsumedCapacity: 'INDEXES',
        ...(dice.once(3) && {
          ReturnValues: dice.pick(['ALL_NEW', 'ALL_OLD', 'UPDATED_NEW', 'UPDATED_OLD']),
        }),
      },
    };
  }

  /** The condition of a write, now and then. */
  #condition(drawn: Drawn): { readonly ConditionExpression?: string } {
    if (!this.#dice.once(2)) return {};
    const condition = maimed(this.#dice, drawn.condition());
    const failed = this.#dice.once(3) && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
    return { ConditionExpression: condition, ...failed };
  }

  #put(): Call {
    const dice = this.#dice;
    const table = this.#table();
    const drawn = new Drawn(dice);
    const condition = this.#condition(drawn);
    const returned = dice.once(3) && { ReturnValues: dice.pick(['ALL_OLD', 'ALL_OLD', 'NONE', 'ALL_NEW']) };
    const given = drawn.given(condition.ConditionExpression);
    return {
      operation: 'PutItem',
      input: {
        TableName: table,
        Item: this.#item(table),
        ...condition,
        ...given,
        ...returned,
        ...this.#consumed(),
      },
    };
  }

  #delete(): Call {
    const { input } = this.#put();
    const { Item: _, ...rest } = input;
    return { operation: 'DeleteItem', input: { ...rest, Key: this.#key(input.TableName as TableName) } };
  }

  #update(): Call {
    const dice = this.#dice;
    const table = this.#table();
    return {
      operation: 'UpdateItem',
      input: {
        ...this.#updateOf(table),
        ...this.#consumed(),
        ...(dice.once(2) && {
          ReturnValues: dice.pick(['ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW', 'NONE']),
        }),
      },
    };
  }

  #updateOf(table: TableName): Record<string, unknown> {
    const dice = this.#dice;
    const drawn = new Drawn(dice);
    const UpdateExpression = maimed(dice, drawn.update());
    const condition = dice.once(2) ? this.#condition(drawn) : {};
    const given = drawn.given(UpdateExpression, condition.ConditionExpression);
    return { TableName: table, Key: this.#key(table), UpdateExpression, ...condition, ...given };
  }

  #get(): Call {
    const dice = this.#dice;
    const table = this.#table();
    const drawn = new Drawn(dice);
    const projection = dice.once(2) && { ProjectionExpression: maimed(dice, drawn.projection()) };
    return {
      operation: 'GetItem',
      input: {
        TableName: table,
        Key: this.#key(table),
        ...projection,
        ...drawn.given(),
        ...this.#consumed(),
        ...(dice.once(3) && { ConsistentRead: true }),
      },
    };
  }

  #query(): Call {
    const dice = this.#dice;
    const place = dice.pick([
      { table: 'Product', keys: ['PK', 'SK'], type: 'S' },
      { table: 'Product', keys: ['PK', 'SK'], type: 'S' },
      { table: 'Product', keys: ['LPK', 'LSK'], type: 'S', index: 'listings' },
      { table: 'Numbered', keys: ['id', 'num'], type: 'N' },
      { table: 'Numbered', keys: ['kind', 'num'], type: 'N', index: 'kinds' },
      { table: 'Numbered', keys: ['id', '#text'], type: 'S', index: 'texts', isLocal: true },
    ] as const);
    const drawn = new Drawn(dice);
    if (place.keys[1] === '#text') drawn.names['#text'] = 'text';
    const [pk, sk] = place.keys;
    const sort = () =>
      drawn.value(
        dice.once(40)
          ? oddValue(dice)
          : place.type === 'S'
            ? { S: dice.pick([...sortTexts, 'b#']) }
            : { N: dice.pick(sortNumbers) },
      );
    const partition = drawn.value({ S: this.#partition() });
    const isSorted = dice.below(4) > 0;
    const bounds = () =>
      dice.pick([
        () => `${sk} ${dice.pick(['=', '=', '<', '<=', '>', '>='])} ${sort()}`,
        () => `${sk} ${dice.pick(['<', '<=', '>', '>='])} ${sort()}`,
        () => `${sk} BETWEEN ${sort()} AND ${sort()}`,
        () => `begins_with(${sk}, ${sort()})`,
      ])();
    const condition = `${pk} = ${partition}`;
    const KeyConditionExpression = maimed(
      dice,
      !isSorted
        ? condition
        : dice.once(8)
          ? `(${bounds()}) AND ${condition}`
          : `${condition} AND ${bounds()}`,
    );
    if (!isSorted && sk === '#text') delete drawn.names['#text'];
    const filter = dice.once(3) && { FilterExpression: maimed(dice, drawn.condition(1)) };
    const projection = dice.once(4) && { ProjectionExpression: drawn.projection() };
    const selects = 'COUNT COUNT ALL_ATTRIBUTES ALL_PROJECTED_ATTRIBUTES SPECIFIC_ATTRIBUTES'.split(' ');
    const select = dice.once(8) && { Select: dice.pick(selects) };
    return {
      operation: 'Query',
      input: {
        TableName: place.table,
        ...('index' in place && { IndexName: place.index }),
        KeyConditionExpression,
        ...filter,
        ...projection,
        ...select,
        ...drawn.given(),
        ...this.#consumed(),
        ...(dice.once(2) && { ScanIndexForward: dice.once(4) }),
        ...(dice.once(2) && { Limit: 1 + dice.below(4) }),
        ...(dice.once('isLocal' in place || !('index' in place) ? 4 : 30) && { ConsistentRead: true }),
        ...(dice.once(8) && { ExclusiveStartKey: this.#startKey(place.table, 'index' in place) }),
      },
    };
  }

  #startKey(table: TableName, isIndex: boolean): Item {
    const key = this.#key(table);
    if (!isIndex) return key;
    const text = { S: this.#dice.pick(sortTexts) };
    return table === 'Product' ? { ...key, LPK: { S: this.#partition() }, LSK: text } : { ...key, text };
  }

  #scan(): Call {
    const dice = this.#dice;
    const table = this.#table();
    const drawn = new Drawn(dice);
    const filter = { FilterExpression: maimed(dice, drawn.condition(1)) };
    const index = table === 'Product' ? 'listings' : dice.pick(['kinds', 'texts']);
    const projection = dice.once(4) && { ProjectionExpression: drawn.projection() };
    return {
      operation: 'Scan',
      input: {
        TableName: table,
        ...filter,
        ...projection,
        ...(table !== 'Single' && dice.once(3) && { IndexName: index }),
        ...drawn.given(),
        ...(dice.once(6) && { Select: dice.pick(['COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES']) }),
        ...(dice.once(5) && { ConsistentRead: true }),
      },
    };
  }

  #batchGet(): Call {
    const dice = this.#dice;
    const of = (table: TableName) => {
      const drawn = new Drawn(dice);
      const projection = dice.once(3) && { ProjectionExpression: drawn.projection() };
      const Keys = Array.from({ length: 1 + dice.below(3) }, () => this.#key(table));
      return { Keys, ...projection, ...drawn.given(), ...(dice.once(2) && { ConsistentRead: true }) };
    };
    const tables = dice.once(3) ? (['Product', 'Numbered'] as const) : [this.#table()];
    const RequestItems = Object.fromEntries(tables.map((table) => [table, of(table)]));
    return { operation: 'BatchGetItem', input: { RequestItems, ...this.#consumed() } };
  }

  #batchWrite(): Call {
    const dice = this.#dice;
    const of = (table: TableName) =>
      Array.from({ length: 1 + dice.below(3) }, () =>
        dice.once(2)
          ? { DeleteRequest: { Key: this.#key(table) } }
          : { PutRequest: { Item: this.#item(table) } },
      );
    const tables = dice.once(3) ? (['Product', 'Numbered'] as const) : [this.#table()];
    const RequestItems = Object.fromEntries(tables.map((table) => [table, of(table)]));
    return { operation: 'BatchWriteItem', input: { RequestItems, ...this.#consumed() } };
  }

  #transact(): Call {
    const dice = this.#dice;
    const part = (): Record<string, unknown> => {
      const table = this.#table();
      const drawn = new Drawn(dice);
      const r = dice.below(10);
      if (r < 3) {
        const form = dice.pick(this.#forms);
        return { [form.kind]: this.#ofForm(form) };
      }
      if (r < 5) return { Put: { TableName: table, Item: this.#item(table) } };
      if (r < 7) return { Update: this.#updateOf(table) };
      const ConditionExpression = maimed(dice, drawn.condition());
      const failed = dice.once(2) && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
      const checked = {
        TableName: table,
        Key: this.#key(table),
        ConditionExpression,
        ...failed,
        ...drawn.given(),
      };
      return r < 9 ? { ConditionCheck: checked } : { Delete: checked };
    };
    const TransactItems = Array.from({ length: 1 + dice.below(3) }, part);
    const token = dice.once(6) && { ClientRequestToken: `token-${this.#token}-${dice.below(3)}` };
    return { operation: 'TransactWriteItems', input: { TransactItems, ...token, ...this.#consumed() } };
  }

  #transactGet(): Call {
    const dice = this.#dice;
    const part = () => {
      const table = this.#table();
      const drawn = new Drawn(dice);
      const projection = dice.once(3) && { ProjectionExpression: drawn.projection() };
      return { Get: { TableName: table, Key: this.#key(table), ...projection, ...drawn.given() } };
    };
    const TransactItems = Array.from({ length: 1 + dice.below(3) }, part);
    return { operation: 'TransactGetItems', input: { TransactItems, ...this.#consumed() } };
  }
}
