import { addNumbers } from '../numbers.ts';
import { invalid, type Rejected } from '../rejected.ts';
import { attributeOf, type Item, isSet, mustNest, typeOf, type Value } from '../values.ts';
import {
  type Given,
  mustBeDistinct,
  type Operand,
  operandIn,
  type Path,
  pathIn,
  type Steps,
  type Tokens,
  valueAt,
} from './tokens.ts';

export interface Update {
  /** The paths that it changes. */
  targets(given: Given): readonly Steps[];
  /** The attributes that an item has afterwards. */
  changed(item: Item, given: Given): Item;
}

interface Change {
  readonly target: Path;
  /** The new value; undefined removes it. */
  readonly value: (item: Item, given: Given) => Value | undefined;
}

export function readUpdate(tokens: Tokens): Update {
  const changes: Change[] = [];
  const read = new Set<string>();
  while (!tokens.isOver) {
    const name = tokens.next.toUpperCase();
    const clause = clauses.get(name);
    if (!clause) throw tokens.unexpected();
    tokens.take();
    if (read.has(name))
      throw tokens.error(`The "${name}" section can only be used once in an update expression;`);
    read.add(name);
    changes.push(...tokens.list(clause));
  }
  const targets = (given: Given) => changes.map(({ target }) => target(given));
  tokens.checks.push((given) => mustNotOverlap(targets(given), tokens));
  return {
    targets,
    changed: (item, given) => {
      // All clauses read the item as it was.
      const made = changes.map(({ target, value }) => ({ steps: target(given), value: value(item, given) }));
      // Elements behind a list's end are added in the order of their indexes.
      if (made.some(({ steps }) => steps.length > 1)) made.sort(byIndex);
      const roots = new Map<string, Value | undefined>();
      const change = ([root, ...rest]: Steps, value?: Value) => {
        const before = roots.has(root) ? roots.get(root) : attributeOf(item, root);
        roots.set(root, rest.length === 0 ? value : withPart(before, rest, value));
      };
      for (const { steps, value } of made) {
        if (value === undefined) continue;
        mustNest(value, steps.length);
        change(steps, value);
      }
      // Removed from a list's end, so that others keep their index.
      for (const { steps, value } of made.reverse()) if (value === undefined) change(steps);
      return withRoots(item, roots);
    },
  };
}

const indexOf = (last: string | number | undefined) => (typeof last === 'number' ? last : -1);
const byIndex = (one: { readonly steps: Steps }, other: { readonly steps: Steps }) =>
  indexOf(one.steps.at(-1)) - indexOf(other.steps.at(-1));

export function mustNotOverlap(all: readonly Steps[], tokens: Pick<Tokens, 'error'>): void {
  if (new Set(all.map(([root]) => root)).size === all.length) return;
  const written = all.map((steps) => JSON.stringify(steps).slice(0, -1));
  for (const [i, one] of written.entries()) {
    const j = written.findIndex((other, at) => at !== i && (other === one || other.startsWith(`${one},`)));
    if (j < 0) continue;
    const [first, second] = [all[Math.min(i, j)], all[Math.max(i, j)]].map(
      (steps) => `[${steps?.join(', ')}]`,
    );
    throw tokens.error(
      `Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${first}, path two: ${second}`,
    );
  }
}

const clauses: ReadonlyMap<string, (tokens: Tokens) => Change> = new Map([
  ['SET', setting],
  ['REMOVE', (tokens: Tokens): Change => ({ target: pathIn(tokens), value: () => undefined })],
  ['ADD', adding],
  ['DELETE', deleting],
]);

function setting(tokens: Tokens): Change {
  const target = pathIn(tokens);
  tokens.mustTake('=');
  const operand = sum(tokens);
  return { target, value: (item, given) => mustHave(operand.of(item, given)) };
}

function mustHave(value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw invalid('The provided expression refers to an attribute that does not exist in the item');
}

const wrongType = (): Rejected => invalid('An operand in the update expression has an incorrect data type');

interface Summed extends Operand {
  readonly isSum?: true;
}

function sum(tokens: Tokens): Summed {
  const left = term(tokens, sum);
  const sign = tokens.next;
  if (left.isSum || (sign !== '+' && sign !== '-')) return left;
  tokens.take();
  const right = term(tokens);
  for (const operand of [left, right]) tokens.mustBeOf(['N'], operand, sign);
  return {
    isSum: true,
    of: (item, given) => {
      const [one, other] = [mustHave(left.of(item, given)), mustHave(right.of(item, given))];
      return added(one, other, sign === '+' ? 1 : -1);
    },
  };
}

function added(one: Value, other: Value, sign: 1 | -1 = 1): Value {
  if (one.N === undefined || other.N === undefined) throw wrongType();
  return { N: addNumbers(String(one.N), String(other.N), sign) };
}

function term(tokens: Tokens, inner: (tokens: Tokens) => Summed = term): Summed {
  if (tokens.next === '(') return tokens.group(() => inner(tokens));
  const isCall = tokens.second === '(';
  if (isCall && tokens.next === 'if_not_exists') {
    tokens.take();
    return tokens.within(() => {
      const first = operandIn(tokens);
      if (!first.path)
        throw tokens.error(
          'Operator or function requires a document path; operator or function: if_not_exists',
        );
      tokens.mustTake(',');
      const otherwise = argument(tokens);
      mustBeDistinct(tokens, [first, otherwise], 'if_not_exists');
      return {
        of: (item, given) => {
          const other = mustHave(otherwise.of(item, given));
          return first.of(item, given) ?? other;
        },
      };
    });
  }
  if (isCall && tokens.next === 'list_append') {
    tokens.take();
    return tokens.within(() => {
      const first = argument(tokens);
      tokens.mustTake(',');
      const second = argument(tokens);
      for (const operand of [first, second]) tokens.mustBeOf(['L'], operand, 'list_append');
      return {
        of: (item, given) => {
          const [one, other] = [mustHave(first.of(item, given)), mustHave(second.of(item, given))];
          if (one.L === undefined || other.L === undefined) throw wrongType();
          return { L: [...(one.L as Value[]), ...(other.L as Value[])] };
        },
      };
    });
  }
  return operandIn(tokens);
}

function argument(tokens: Tokens): Operand {
  if (tokens.next !== 'list_append' || tokens.second !== '(') return term(tokens);
  throw tokens.error(
    'The function is not allowed to be used this way in an expression; function: list_append',
  );
}

function adding(tokens: Tokens): Change {
  const target = pathIn(tokens);
  const amount = valueIn(tokens);
  mustBeOf(tokens, ['N', 'SS', 'NS', 'BS'], amount, 'ADD');
  return {
    target,
    value: (item, given) => {
      const [before, more] = [valueAt(item, target(given)), amount.of(item, given) as Value];
      if (before === undefined) return more;
      const type = typeOf(more);
      if (type === 'N') return added(before, more);
      if (typeOf(before) !== type) throw wrongType();
      return { [type]: [...new Set([...(before[type] as string[]), ...(more[type] as string[])])] };
    },
  };
}

function deleting(tokens: Tokens): Change {
  const target = pathIn(tokens);
  const operand = valueIn(tokens);
  mustBeOf(tokens, ['SS', 'NS', 'BS'], operand, 'DELETE');
  return {
    target,
    value: (item, given) => {
      const [before, less] = [valueAt(item, target(given)), operand.of(item, given) as Value];
      if (before === undefined) return undefined;
      const type = typeOf(less);
      if (!isSet(type) || typeOf(before) !== type) throw wrongType();
      const kept = (before[type] as string[]).filter((one) => !(less[type] as string[]).includes(one));
      return kept.length === 0 ? undefined : { [type]: kept };
    },
  };
}

const typeNames: Readonly<Record<string, string>> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  BOOL: 'BOOLEAN',
  L: 'LIST',
  M: 'MAP',
};

/** ADD and DELETE have their own names of types in messages. */
function mustBeOf(
  tokens: Tokens,
  types: readonly string[],
  { placeholder = '' }: Operand,
  clause: string,
): void {
  tokens.checks.push(({ values }) => {
    const type = typeOf(values[placeholder] as Value);
    if (types.includes(type)) return;
    throw tokens.error(
      `Incorrect operand type for operator or function; operator: ${clause}, operand type: ${typeNames[type] ?? type}, typeSet: ALLOWED_FOR_${clause}_OPERAND`,
    );
  });
}

function valueIn(tokens: Tokens): Operand {
  if (!tokens.next.startsWith(':')) throw tokens.unexpected();
  return operandIn(tokens);
}

const wrongPath = () => invalid('The document path provided in the update expression is invalid for update');

function withRoots(item: Item, roots: ReadonlyMap<string, Value | undefined>): Item {
  const changed: Record<string, Value | undefined> = { ...item, ...Object.fromEntries(roots) };
  for (const [root, value] of roots) if (value === undefined) delete changed[root];
  // No remaining value is undefined.
  return changed as Item;
}

/** The value with a changed part; undefined removes the part. */
function withPart(
  whole: Value | undefined,
  [step, ...rest]: readonly (string | number)[],
  part: Value | undefined,
): Value {
  if (typeof step === 'number') {
    const list = whole?.L as readonly Value[] | undefined;
    if (!list) throw wrongPath();
    const changed = [...list];
    const inner = rest.length === 0 ? part : withPart(list[step], rest, part);
    if (inner === undefined) changed.splice(step, 1);
    else changed[Math.min(step, list.length)] = inner;
    return { L: changed };
  }
  const map = whole?.M as Item | undefined;
  if (!map || step === undefined) throw wrongPath();
  const changed = new Map(Object.entries(map));
  const inner = rest.length === 0 ? part : withPart(attributeOf(map, step), rest, part);
  if (inner === undefined) changed.delete(step);
  else changed.set(step, inner);
  return { M: Object.fromEntries(changed) };
}
