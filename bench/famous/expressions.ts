import type { WireItem, WireValue } from '../../core/table/wire-values.ts';

/** What an expression stands in: an item, and the names and values of its call. */
interface Scope {
  readonly item: WireItem;
  readonly names: Readonly<Record<string, string>>;
  readonly values: WireItem;
}

type Operand = (scope: Scope) => WireValue | undefined;
type Condition = (scope: Scope) => boolean;
type Change = (scope: Scope, changed: Record<string, WireValue>) => void;

/** The tokens of an expression, to be read one after the other. */
class Tokens {
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(text: string) {
    this.#tokens = text.match(/[#:]?\w+|<=|>=|<>|[=<>(),+-]|\S/g) ?? [];
  }

  get next(): string {
    return this.#tokens[this.#next] ?? '';
  }

  take(): string {
    const token = this.next;
    this.#next += 1;
    return token;
  }

  takes(word: string): boolean {
    const isNext = this.next.toUpperCase() === word;
    if (isNext) this.#next += 1;
    return isNext;
  }

  expect(word: string): void {
    if (!this.takes(word)) throw new Error(`Expected ${word} before '${this.next}'`);
  }

  /** One or more, with commas in between. */
  list<Value>(read: () => Value): Value[] {
    const all = [read()];
    while (this.takes(',')) all.push(read());
    return all;
  }
}

const nameOf = ({ names }: Scope, token: string): string =>
  token.startsWith('#') ? (names[token] ?? token) : token;

const operand = (tokens: Tokens): Operand => {
  if (tokens.takes('IF_NOT_EXISTS')) {
    tokens.expect('(');
    const name = tokens.take();
    tokens.expect(',');
    const other = operand(tokens);
    tokens.expect(')');
    return (scope) => scope.item[nameOf(scope, name)] ?? other(scope);
  }
  const token = tokens.take();
  if (!/^[#:]?\w+$/.test(token)) throw new Error(`'${token}' is no operand`);
  return token.startsWith(':') ? ({ values }) => values[token] : (scope) => scope.item[nameOf(scope, token)];
};

const functions: Readonly<Record<string, (value?: WireValue, other?: WireValue) => boolean>> = {
  ATTRIBUTE_EXISTS: (value) => value !== undefined,
  ATTRIBUTE_NOT_EXISTS: (value) => value === undefined,
  BEGINS_WITH: (value, start) => String(value?.S ?? '').startsWith(String(start?.S)),
  CONTAINS: (value, part) => String(value?.S ?? '').includes(String(part?.S)),
};

/** Below, equal or above; not comparable without both of one type. */
const compare = (one?: WireValue, other?: WireValue): number => {
  if (one?.N !== undefined && other?.N !== undefined) return Number(one.N) - Number(other.N);
  if (one?.S === undefined || other?.S === undefined) return Number.NaN;
  return one.S === other.S ? 0 : String(one.S) < String(other.S) ? -1 : 1;
};

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

const simple = (tokens: Tokens): Condition => {
  const call = functions[tokens.next.toUpperCase()];
  if (call) {
    tokens.take();
    tokens.expect('(');
    const given = tokens.list(() => operand(tokens));
    tokens.expect(')');
    return (scope) => call(...given.map((one) => one(scope)));
  }
  const left = operand(tokens);
  if (tokens.takes('IN')) {
    tokens.expect('(');
    const all = tokens.list(() => operand(tokens));
    tokens.expect(')');
    return (scope) => all.some((one) => compare(left(scope), one(scope)) === 0);
  }
  if (tokens.takes('BETWEEN')) {
    const low = operand(tokens);
    tokens.expect('AND');
    const high = operand(tokens);
    return (scope) => compare(left(scope), low(scope)) >= 0 && compare(left(scope), high(scope)) <= 0;
  }
  const holds = comparisons[tokens.take()];
  if (!holds) throw new Error(`Not a comparison before '${tokens.next}'`);
  const right = operand(tokens);
  return (scope) => holds(compare(left(scope), right(scope)));
};

const negatable = (tokens: Tokens): Condition => {
  if (tokens.takes('NOT')) {
    const inner = negatable(tokens);
    return (scope) => !inner(scope);
  }
  if (!tokens.takes('(')) return simple(tokens);
  const inner = anyOf(tokens);
  tokens.expect(')');
  return inner;
};

const allOf = (tokens: Tokens): Condition => {
  const parts = [negatable(tokens)];
  while (tokens.takes('AND')) parts.push(negatable(tokens));
  return (scope) => parts.every((part) => part(scope));
};

const anyOf = (tokens: Tokens): Condition => {
  const parts = [allOf(tokens)];
  while (tokens.takes('OR')) parts.push(allOf(tokens));
  return (scope) => parts.some((part) => part(scope));
};

const clauses: Readonly<Record<string, (tokens: Tokens) => Change>> = {
  SET: (tokens) => {
    const name = tokens.take();
    tokens.expect('=');
    const value = operand(tokens);
    return (scope, changed) => {
      changed[nameOf(scope, name)] = value(scope) as WireValue;
    };
  },
  ADD: (tokens) => {
    const name = tokens.take();
    const value = operand(tokens);
    return (scope, changed) => {
      const sum = Number(scope.item[nameOf(scope, name)]?.N ?? 0) + Number(value(scope)?.N);
      changed[nameOf(scope, name)] = { N: String(sum) };
    };
  },
  REMOVE: (tokens) => {
    const name = tokens.take();
    return (scope, changed) => {
      delete changed[nameOf(scope, name)];
    };
  },
};

const changes = (tokens: Tokens): Change => {
  const all: Change[] = [];
  while (tokens.next) {
    const clause = clauses[tokens.take().toUpperCase()];
    if (!clause) throw new Error(`No clause before '${tokens.next}'`);
    all.push(...tokens.list(() => clause(tokens)));
  }
  return (scope, changed) => {
    for (const change of all) change(scope, changed);
  };
};

/** Expressions are few and used often. */
const remembered = <Read>(read: (tokens: Tokens) => Read) => {
  const known = new Map<string, Read>();
  return (text: string): Read => {
    const found = known.get(text);
    if (found) return found;
    const tokens = new Tokens(text);
    const made = read(tokens);
    if (tokens.next) throw new Error(`'${tokens.next}' is left over in '${text}'`);
    known.set(text, made);
    return made;
  };
};

const conditionOf = remembered(anyOf);
const changeOf = remembered(changes);

/** Whether a condition holds, if there is one. As far as the service uses DynamoDB's expressions on its way. */
export const holds = (expression: string | undefined, scope: Scope): boolean =>
  expression === undefined || conditionOf(expression)(scope);

/** The item as an update leaves it. Every part sees the item as it was. */
export const updated = (expression: string, scope: Scope): WireItem => {
  const changed = { ...scope.item };
  changeOf(expression)(scope, changed);
  return changed;
};
