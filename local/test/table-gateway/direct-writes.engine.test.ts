import * as fc from 'fast-check';
import { aTable } from '../tables/table.ts';
import { type BothWriters, startBothWriters } from './both-writers.ts';
import { callsOf, compareCalls, type WriteTemplate, writeRuns } from './write-templates.ts';

const table = aTable('Written');
let both: BothWriters;
beforeAll(async () => {
  both = await startBothWriters(table);
});
afterAll(() => both.stop());

const names = ['#a', '#b', '#c', 'bare', 'PK', 'owner'];
const realNames = fc.constantFrom('n', 'm', 'constructor', '__proto__', 'é', 'bare', 'ttl');
const name = fc.constantFrom(...names.slice(0, 4), ...names);
const placeholder = fc.constantFrom(':x', ':y', ':n', ':s');
const types = fc.record({
  ':x': fc.constantFrom('S', 'N', 'N', 'BOOL', 'NULL', 'M', 'L', 'SS', 'B'),
  ':y': fc.constantFrom('S', 'N', 'NS'),
  ':n': fc.constant('N'),
  ':s': fc.constant('S'),
});
const operand = fc.oneof(name, placeholder);
const text = (...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((all) => all.join(''));

const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    text('attribute_exists(', name, ')'),
    text('attribute_not_exists(', name, ')'),
    text(operand, ' ', fc.constantFrom('=', '<>', '<', '<=', '>', '>='), ' ', operand),
    text(operand, ' IN (', operand, ', ', operand, ')'),
    text('contains(', name, ', ', operand, ')'),
    text(fc.constantFrom('begins_with', 'attribute_type'), '(', name, ', :s)'),
    text('size(', name, ') > :n'),
    text(operand, ' BETWEEN ', operand, ' AND ', operand),
    text('NOT ', tie('condition')),
    text('(', tie('condition'), ')'),
    text(tie('condition'), ' AND ', tie('condition')),
    text(tie('condition'), ' or ', tie('condition')),
  ),
}));
const value = fc.oneof(
  operand,
  text('if_not_exists(', name, ', ', operand, ')'),
  text(operand, ' ', fc.constantFrom('+', '-'), ' ', operand),
  text('if_not_exists(', name, ', :n) + :n'),
  text('list_append(', operand, ', ', operand, ')'),
);
const oneOrTwo = (part: fc.Arbitrary<string>) =>
  fc.array(part, { minLength: 1, maxLength: 2 }).map((parts) => parts.join(', '));
const clause = fc.oneof(
  text('SET ', oneOrTwo(text(name, ' = ', value))),
  text('REMOVE ', oneOrTwo(name)),
  text('ADD ', oneOrTwo(text(name, ' ', placeholder))),
  text('DELETE ', name, ' :x'),
  text('SET ', name, '.inner = ', operand),
);
const update = fc.oneof(
  { weight: 3, arbitrary: clause },
  { weight: 1, arbitrary: text(clause, ' ', clause) },
);

/** Placeholders that an expression doesn't use would be refused. */
const usedIn = <Value>(expressions: string, all: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).filter(([one]) => new RegExp(`${one}\\b`).test(expressions)));

const template: fc.Arbitrary<WriteTemplate> = fc
  .record({
    kind: fc.constantFrom(
      'Put' as const,
      'Update' as const,
      'Update' as const,
      'Update' as const,
      'Delete' as const,
    ),
    update,
    condition: fc.option(condition, { nil: undefined }),
    names: fc.record({ '#a': realNames, '#b': realNames, '#c': realNames }),
    types,
  })
  .map(({ kind, ...drawn }) => {
    const expressions = `${kind === 'Update' ? drawn.update : ''} ${drawn.condition ?? ''}`;
    return {
      kind,
      update: kind === 'Update' ? drawn.update : undefined,
      condition: drawn.condition,
      names: usedIn(expressions, drawn.names),
      types: usedIn(expressions, drawn.types),
    };
  });

/** Usual ones, so that transactions of several are often valid. */
const usual: readonly WriteTemplate[] = [
  { kind: 'Put', condition: 'attribute_not_exists(PK)' },
  { kind: 'Update', update: 'ADD #a :n', names: { '#a': 'n' }, types: { ':n': 'N' } },
  { kind: 'Update', update: 'SET m = :s', condition: 'attribute_exists(PK)', types: { ':s': 'S' } },
  { kind: 'Delete' },
];

test('a transaction beside the engine is made whole or not at all', async () => {
  const before = both.beside;
  const transactions = callsOf(usual).map((calls) =>
    calls.filter(({ operation }) => operation === 'TransactWriteItems'),
  );
  await fc.assert(
    fc.asyncProperty(transactions, async (drawn) => void (await compareCalls(both, drawn))),
    writeRuns(50),
  );
  expect(both.beside - before).toBeGreaterThan(20);
});

/** A part of a transaction. */
const adding = (id: string, by = '1', more: Record<string, unknown> = {}) => ({
  Update: {
    TableName: 'Written',
    Key: { PK: { S: id }, SK: { S: 'x' } },
    UpdateExpression: 'ADD n :by',
    ExpressionAttributeValues: { ':by': { N: by }, ...more },
  },
});
const transact = (TransactItems: readonly object[], ClientRequestToken?: string) =>
  both.call('TransactWriteItems', { TransactItems, ClientRequestToken });

test('an update of an item that is absent meets its key', async () => {
  const named = (id: string, n: string) =>
    both.call('UpdateItem', {
      TableName: 'Written',
      Key: { PK: { S: id }, SK: { S: 'x' } },
      UpdateExpression: 'SET n = if_not_exists(PK, :n)',
      ExpressionAttributeValues: { ':n': { S: n } },
    });
  expect(await named('absent-1', 'one')).toBe('made');
  const before = both.beside;
  expect(await named('absent-2', 'two')).toBe('made');
  expect(both.beside - before).toBe(1);
  both.compareFiles('absent');
});

test('a token makes a transaction once', async () => {
  // The engine makes the first of a form, and knows its token.
  for (const token of ['one', 'one']) expect(await transact([adding('token')], token)).toBe('made');
  const before = both.beside;
  for (const token of ['two', 'two']) expect(await transact([adding('token')], token)).toBe('made');
  expect(both.beside - before).toBe(2);
  for (const token of ['one', 'two']) expect(await transact([adding('token', '2')], token)).toBe('refused');
  both.compareFiles('token');
});

test('where one part has a form that is new, the engine judges all', async () => {
  expect(await transact([adding('form-1'), adding('form-2')])).toBe('made');
  const unused = { ':unused': { N: '1' } };
  expect(await transact([adding('form-1'), adding('form-2', '1', unused)])).not.toBe('made');
  both.compareFiles('form-');
});

test.each([
  {},
  { TransactItems: [] },
  { TransactItems: 'none' },
  { TransactItems: [null] },
  { TransactItems: [adding('refused')], ClientRequestToken: 'x'.repeat(37) },
  { TransactItems: [adding('refused')], ClientRequestToken: 1 },
])('the transaction %j is refused', async (input) => {
  await transact([adding('taken')]);
  expect(await both.call('TransactWriteItems', input)).toBe('refused');
  both.compareFiles('refused');
});

test('a write beside the engine leaves what the engine would have left, and gets its answer', async () => {
  const counts = { made: 0, 'not met': 0, refused: 0 };
  const before = both.beside;
  const calls = fc.array(template, { minLength: 2, maxLength: 4 }).chain(callsOf);
  await fc.assert(
    fc.asyncProperty(calls, async (drawn) => {
      const outcomes = await compareCalls(both, drawn);
      for (const [name, count] of Object.entries(outcomes)) counts[name as keyof typeof counts] += count;
    }),
    writeRuns(35),
  );
  if (process.env.SHOW) console.log(counts, both.beside - before);
  // None of it is empty: calls of all outcomes, and many made beside.
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(10);
  expect(both.beside - before).toBeGreaterThan(50);
});
