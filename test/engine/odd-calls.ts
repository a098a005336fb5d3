import type { Call } from './random-calls.ts';

const key = { PK: { S: 'p' }, SK: { S: 'a' } };
const Product = { TableName: 'Product' };
const call = (operation: string, input: object): Call => ({ operation, input: { ...input } });
const put = (item: object, more: object = {}) =>
  call('PutItem', { ...Product, Item: { ...key, ...item }, ...more });
const update = (UpdateExpression: string, values: object = {}, more: object = {}) =>
  call('UpdateItem', {
    ...Product,
    Key: key,
    UpdateExpression,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    ReturnValues: 'ALL_NEW',
    ...more,
  });
const query = (KeyConditionExpression: string, values: object, more: object = {}) =>
  call('Query', { ...Product, KeyConditionExpression, ExpressionAttributeValues: values, ...more });
const page = { ':p': { S: 'pages' } };
const item = {
  n: { N: '5' },
  s: { S: 'text' },
  l: { L: [{ N: '1' }, { N: '2' }, { N: '3' }] },
  m: { M: { x: { N: '1' } } },
};
const sets = { ss: { SS: ['a', 'b'] }, ns: { NS: ['1', '2'] }, bs: { BS: ['AA=='] } };

/** Calls that random ones seldom make: limits, pages, and each fault by itself. In this order. */
export const oddCalls: readonly Call[] = [
  // Numbers.
  ...[
    '0',
    '-0',
    '007',
    '1e3',
    '1.50',
    '1E-130',
    '9.9999999999999999999999999999999999999E+125',
    '12345678901234567890123456789012345678',
  ]
    .map((N) => put({ n: { N } }))
    .concat(
      ['', 'abc', '1e126', '1E-131', '123456789012345678901234567890123456789', 'NaN', '1 ', '0x1'].map((N) =>
        put({ n: { N } }),
      ),
    ),
  update('SET n = :a + :b', { ':a': { N: '9999999999999999999999999999999999999' }, ':b': { N: '1' } }),
  update('SET n = n + :b', { ':b': { N: '0.1' } }),
  update('SET n = :a - :b', { ':a': { N: '1' }, ':b': { N: '1e-37' } }),
  update('ADD n :a', { ':a': { N: '-1e37' } }),
  // Values.
  ...[
    { S: '' },
    { B: '' },
    { SS: [] },
    { NS: [] },
    { SS: ['a', 'a'] },
    { NS: ['1', '1.0'] },
    { BS: ['AA==', 'AA=='] },
    { SS: [''] },
    { NULL: false },
  ]
    .map((odd) => put({ odd }))
    .concat(
      [{ M: {} }, { L: [] }, { M: { '': { S: 'a' } } }, { S: 'a', N: '1' }, {}, { L: [{ SS: [] }] }].map(
        (odd) => put({ odd }),
      ),
    ),
  put(item),
  put(sets),
  // Keys.
  ...[
    { PK: { S: 'p' } },
    { PK: { S: '' }, SK: { S: 'a' } },
    { PK: { S: 'p' }, SK: { N: '1' } },
    { ...key, more: { S: 'a' } },
    {},
  ].flatMap((Key) => [
    call('GetItem', { ...Product, Key }),
    call('DeleteItem', { ...Product, Key }),
    call('PutItem', { ...Product, Item: Key }),
  ]),
  put({ LPK: { N: '1' } }),
  put({ LPK: { S: '' }, LSK: { S: 'a' } }),
  update('SET PK = :a', { ':a': { S: 'q' } }),
  update('SET LPK = :a', { ':a': { N: '1' } }),
  update('SET LPK = :a', { ':a': { S: '' } }),
  // Updates.
  put({ ...item, ...sets }),
  update('SET l[1] = :a, l[9] = :b, m.y = :a', { ':a': { S: 'a' }, ':b': { S: 'b' } }),
  update('REMOVE l[0], m.x'),
  update('SET l = list_append(:a, l)', { ':a': { L: [{ S: 'first' }] } }),
  update('SET k = if_not_exists(k, :a)', { ':a': { N: '0' } }),
  update('ADD ss :a, ns :b, k :c', { ':a': { SS: ['b', 'c'] }, ':b': { NS: ['3'] }, ':c': { N: '2' } }),
  update('DELETE ss :a, bs :b', { ':a': { SS: ['a', 'x'] }, ':b': { BS: ['AA=='] } }),
  update('DELETE ss :a', { ':a': { NS: ['1'] } }),
  update('ADD s :a', { ':a': { N: '1' } }),
  update('ADD s :a', { ':a': { S: '1' } }),
  update('SET x.y = :a', { ':a': { S: 'a' } }),
  update('REMOVE x.y'),
  update('SET a = missing'),
  update('SET n = n + :a', { ':a': { S: 'a' } }),
  update('SET s = s + :a', { ':a': { N: '1' } }),
  update('SET n = :a, n = :a', { ':a': { N: '1' } }),
  update('SET m.x = :a, m = :a', { ':a': { N: '1' } }),
  update('SET status = :a', { ':a': { N: '1' } }),
  update('SET #s = :a', { ':a': { N: '1' } }, { ExpressionAttributeNames: { '#s': 'status' } }),
  update('SET #s = :a', { ':a': { N: '1' } }),
  update('SET n = :a', { ':a': { N: '1' }, ':b': { N: '1' } }),
  update('SET n = :missing', { ':a': { N: '1' } }),
  update('SET n = :a SET s = :a', { ':a': { N: '1' } }),
  update('SET n :a', { ':a': { N: '1' } }),
  update(''),
  update('SET n = :a', { ':a': { N: '1' } }, { ReturnValues: 'SOME' }),
  ...['ALL_OLD', 'UPDATED_OLD', 'UPDATED_NEW', 'NONE'].map((ReturnValues) =>
    update('SET m.x = :a REMOVE l ADD n :a', { ':a': { N: '1' } }, { ReturnValues }),
  ),
  // Conditions.
  put(item),
  ...[
    'attribute_exists(m.x)',
    'attribute_not_exists(n)',
    'n BETWEEN :one AND :nine',
    'n IN (:one, :nine)',
    'begins_with(s, :t)',
    'contains(s, :t)',
    'size(l) = :three',
    'attribute_type(m, :map)',
    'NOT n = :one AND s <> :t',
    '(n = :one OR n > :one) AND l[0] = :one',
    's < :t',
    'n < :t',
    'contains(l, :one)',
    'size(n) > :one',
    'n = n',
    '((n = :one))',
    'attribute_type(m, :t)',
    'begins_with(n, :t)',
    'begins_with(s, :one)',
    'n BETWEEN :nine AND :one',
    'unknown(n)',
    'n =',
    'n = :one AND',
    'status = :one',
    'attribute_exists(:one)',
  ]
    .map((ConditionExpression) => {
      const all: Record<string, object> = {
        ':one': { N: '1' },
        ':nine': { N: '9' },
        ':three': { N: '3' },
        ':t': { S: 'te' },
        ':map': { S: 'M' },
      };
      const used = Object.entries(all).filter(([name]) => new RegExp(`${name}\\b`).test(ConditionExpression));
      return call('DeleteItem', {
        ...Product,
        Key: { PK: { S: 'p' }, SK: { S: 'a' } },
        ConditionExpression: `attribute_exists(PK) AND ${ConditionExpression}`,
        ...(used.length > 0 && { ExpressionAttributeValues: Object.fromEntries(used) }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ReturnValues: 'ALL_OLD',
      });
    })
    .flatMap((one) => [one, put(item)]),
  put(item, { ReturnValues: 'ALL_NEW' }),
  put(item, { ExpressionAttributeValues: { ':a': { N: '1' } } }),
  put(item, { ExpressionAttributeNames: { '#a': 'a' } }),
  put(item, { ConditionExpression: '' }),
  // Sizes and pages of 1 MB.
  put({ large: { S: 'x'.repeat(400 * 1024) } }),
  ...Array.from({ length: 5 }, (_, i) =>
    call('UpdateItem', {
      ...Product,
      Key: { PK: { S: 'pages' }, SK: { S: `${i}` } },
      UpdateExpression: 'SET large = :l',
      ExpressionAttributeValues: { ':l': { S: 'x'.repeat(300 * 1024) } },
      ReturnConsumedCapacity: 'INDEXES',
    }),
  ),
  call('UpdateItem', {
    ...Product,
    Key: { PK: { S: 'pages' }, SK: { S: '0' } },
    UpdateExpression: 'SET more = :l',
    ExpressionAttributeValues: { ':l': { S: 'x'.repeat(110 * 1024) } },
  }),
  query('PK = :p', page, { ProjectionExpression: 'SK', ReturnConsumedCapacity: 'TOTAL' }),
  query('PK = :p', page, { Select: 'COUNT', ScanIndexForward: false, ReturnConsumedCapacity: 'TOTAL' }),
  query('PK = :p', page, { Select: 'COUNT', ExclusiveStartKey: { PK: { S: 'pages' }, SK: { S: '2' } } }),
  query('PK = :p', page, { Limit: 0 }),
  query('PK = :p', page, { Limit: 2, ProjectionExpression: 'SK' }),
  // Queries and scans.
  query('PK = :p AND SK > :p', page, { Select: 'SPECIFIC_ATTRIBUTES' }),
  query('PK = :p', page, { Select: 'ALL_PROJECTED_ATTRIBUTES' }),
  query('PK = :p AND begins_with(SK, :p)', page),
  query('PK > :p', page),
  query('SK = :p', page),
  query('PK = :p OR SK = :p', page),
  query('PK = :p AND n = :p', page),
  query('PK = :p AND SK <> :p', page),
  query('PK = :p', { ':p': { N: '1' } }),
  query('PK = :p', { ':p': { S: '' } }),
  query('PK = :p', page, { FilterExpression: 'SK = :p' }),
  query('PK = :p', page, { IndexName: 'none' }),
  query('LPK = :p', page, { IndexName: 'listings', ConsistentRead: true }),
  call('Query', { ...Product }),
  call('Query', { TableName: 'Absent', KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: page }),
  ...[0, 1, 2].map((Segment) =>
    call('Scan', { TableName: 'Single', Segment, TotalSegments: 3, Select: 'COUNT' }),
  ),
  call('Scan', { TableName: 'Single', Segment: 3, TotalSegments: 3 }),
  call('Scan', { TableName: 'Single', Segment: 0 }),
  call('Scan', { TableName: 'Single', TotalSegments: 2 }),
  // Batches.
  call('BatchGetItem', { RequestItems: { Product: { Keys: [key, key] } } }),
  call('BatchGetItem', { RequestItems: {} }),
  call('BatchGetItem', { RequestItems: { Product: { Keys: [] } } }),
  call('BatchGetItem', { RequestItems: { Absent: { Keys: [key] } } }),
  call('BatchGetItem', {
    RequestItems: {
      Product: { Keys: Array.from({ length: 101 }, (_, i) => ({ ...key, SK: { S: `${i}` } })) },
    },
  }),
  call('BatchWriteItem', { RequestItems: {} }),
  call('BatchWriteItem', {
    RequestItems: { Product: [{ DeleteRequest: { Key: key } }, { PutRequest: { Item: key } }] },
  }),
  call('BatchWriteItem', { RequestItems: { Product: [] } }),
  call('BatchWriteItem', { RequestItems: { Product: [{}] } }),
  call('BatchWriteItem', {
    RequestItems: {
      Product: Array.from({ length: 26 }, (_, i) => ({
        DeleteRequest: { Key: { ...key, SK: { S: `${i}` } } },
      })),
    },
  }),
  // Transactions.
  ...['one', 'one'].map((ClientRequestToken) =>
    call('TransactWriteItems', {
      ClientRequestToken,
      TransactItems: [
        {
          Update: {
            ...Product,
            Key: key,
            UpdateExpression: 'ADD n :a',
            ExpressionAttributeValues: { ':a': { N: '1' } },
          },
        },
      ],
      ReturnConsumedCapacity: 'TOTAL',
    }),
  ),
  call('GetItem', {
    ...Product,
    Key: key,
    ProjectionExpression: 'n, l[1], m.x',
    ConsistentRead: true,
    ReturnConsumedCapacity: 'TOTAL',
  }),
  call('TransactWriteItems', { TransactItems: [] }),
  call('TransactWriteItems', { TransactItems: [{}] }),
  call('TransactWriteItems', {
    TransactItems: [{ Put: { ...Product, Item: key } }, { Delete: { ...Product, Key: key } }],
  }),
  call('TransactWriteItems', {
    TransactItems: [
      {
        ConditionCheck: {
          ...Product,
          Key: key,
          ConditionExpression: 'attribute_not_exists(PK)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      { Put: { ...Product, Item: { ...key, SK: { S: 'b' } } } },
    ],
  }),
  call('TransactWriteItems', {
    ClientRequestToken: 'x'.repeat(37),
    TransactItems: [{ Put: { ...Product, Item: key } }],
  }),
  call('TransactGetItems', {
    TransactItems: [{ Get: { ...Product, Key: key } }, { Get: { ...Product, Key: key } }],
  }),
  call('TransactGetItems', { TransactItems: [] }),
  // Tables.
  call('DescribeTable', { TableName: 'Absent' }),
  call('DeleteTable', { TableName: 'Absent' }),
  call('PutItem', { TableName: 'Absent', Item: key }),
  call('PutItem', { Item: key }),
  call('CreateTable', {
    ...Product,
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  }),
  call('CreateTable', {
    TableName: 'a',
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  }),
  call('CreateTable', {
    TableName: 'Undefined',
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
    AttributeDefinitions: [],
    BillingMode: 'PAY_PER_REQUEST',
  }),
  call('DescribeTimeToLive', Product),
  call('UpdateTimeToLive', { ...Product, TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' } }),
  call('DescribeTimeToLive', Product),
  call('ListTables', {}),
];
