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

test('a write beside the engine leaves what the engine would have left, and gets its answer', async () => {
  const counts = { made: 0, 'not met': 0, refused: 0 };
  const calls = fc.array(template, { minLength: 2, maxLength: 4 }).chain(callsOf);
  await fc.assert(
    fc.asyncProperty(calls, async (drawn) => {
      const outcomes = await compareCalls(both, drawn);
      for (const [name, count] of Object.entries(outcomes)) counts[name as keyof typeof counts] += count;
    }),
    writeRuns(25),
  );
  if (process.env.SHOW) console.log(counts, both.beside);
  // None of it is empty: calls of all outcomes, and many made beside.
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(10);
  expect(both.beside).toBeGreaterThan(50);
});
