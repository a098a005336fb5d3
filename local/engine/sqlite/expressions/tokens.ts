import { invalid, type Rejected } from '../rejected.ts';
import { attributeOf, type Item, typeOf, type Value } from '../values.ts';
import { isReserved } from './reserved-words.ts';

/** The names and values of a call's expressions. */
export interface Given {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Item;
}

/** Throws if the expression is never valid with these names and values. */
type Check = (given: Given) => void;

/** A number has no leading zero. */
const token = /\s*(0(?=\d)|[#:]?[A-Za-z0-9_]+|<>|<=|>=|[=<>(),.+[\]-])/y;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-expression-parameters */
const mostBytes = 4096;
const mostOperators = 300;
const mostLevels = 32;
const mostIndex = 2 ** 31 - 1;

/** The AND of a BETWEEN stands for both. */
const operator = /^(?:AND|OR|NOT|IN|<>|[<>]=?|[=+-])$/i;

/** The tokens of an expression, and checks of the names and values that a call gives with it. */
export class Tokens {
  /** Such as `UpdateExpression`. */
  readonly kind: string;
  readonly names = new Set<string>();
  readonly values = new Set<string>();
  readonly checks: Check[] = [];
  /** Root attributes of all paths. */
  readonly paths: ((given: Given) => string)[] = [];
  readonly #text: string;
  readonly #all: string[] = [];
  /** End offsets of tokens. */
  readonly #ends: number[] = [];
  #at = 0;

  constructor(kind: string, expression: string) {
    this.kind = kind;
    if (expression.length > mostBytes)
      throw this.error(
        `Expression size has exceeded the maximum allowed size; expression size: ${expression.length}`,
      );
    const text = expression.trimEnd();
    this.#text = text;
    if (text === '') throw this.error('The expression can not be empty;');
    for (token.lastIndex = 0; token.lastIndex < text.length; ) {
      const from = token.lastIndex;
      const [, found] = token.exec(text) ?? [];
      if (found === undefined)
        throw this.#syntax(text.charAt(from), text.slice(Math.max(0, from - 5), from + 5));
      this.#all.push(found);
      this.#ends.push(token.lastIndex);
    }
    const operators = this.#all.filter((one, i) => this.#isOperator(one, this.#all[i + 1])).length;
    if (operators > mostOperators)
      throw this.error(`The expression contains too many operators; operator count: ${mostOperators + 1}`);
  }

  #isOperator(one: string, following: string | undefined): boolean {
    if (following === '(' && functions.has(one)) return true;
    return operator.test(one) && !(one === '=' && this.kind === 'UpdateExpression');
  }

  get isOver(): boolean {
    return this.#at === this.#all.length;
  }

  get next(): string {
    return this.#all[this.#at] ?? '';
  }

  /** The token after the next one. */
  get second(): string {
    return this.#all[this.#at + 1] ?? '';
  }

  take(): string {
    const { next } = this;
    this.#at += 1;
    return next;
  }

  /** Reads what is in parentheses, which must not be doubled. */
  group<Inner>(read: () => Inner): Inner {
    const isDouble = this.second === '(';
    return this.within(() => {
      const end = isDouble ? this.#groupEnd() : undefined;
      const inner = read();
      if (this.#at === end) throw this.error('The expression has redundant parentheses;');
      return inner;
    });
  }

  /** Offset after the parentheses that begin here. */
  #groupEnd(): number {
    let depth = 0;
    for (let at = this.#at; at < this.#all.length; at++) {
      if (this.#all[at] === '(') depth += 1;
      else if (this.#all[at] === ')') depth -= 1;
      if (depth === 0) return at + 1;
    }
    return this.#all.length;
  }

  takes(word: string): boolean {
    const isNext = this.next.toUpperCase() === word;
    if (isNext) this.#at += 1;
    return isNext;
  }

  mustTake(word: string): void {
    if (!this.takes(word)) throw this.unexpected();
  }

  mustBeOver(): void {
    if (!this.isOver) throw this.unexpected();
  }

  /** Reads one or more, separated by commas. */
  list<One>(read: (tokens: Tokens) => One): One[] {
    const all = [read(this)];
    while (this.takes(',')) all.push(read(this));
    return all;
  }

  /** Reads a function's arguments. */
  within<Inner>(read: () => Inner): Inner {
    this.mustTake('(');
    const inner = read();
    this.mustTake(')');
    return inner;
  }

  /** The top-level attributes that the expression uses. */
  roots(given: Given): readonly string[] {
    return this.paths.map((root) => root(given));
  }

  unexpected(): Rejected {
    const first = Math.max(0, this.#at - 1);
    const start = (this.#ends[first] ?? 0) - (this.#all[first] ?? '').length;
    return this.#syntax(this.next || '<EOF>', this.#text.slice(start, this.#ends[this.#at + 1]));
  }

  wrongFunction(name: string): Rejected {
    if (!functions.has(name)) return this.error(`Invalid function name; function: ${name}`);
    const kind = this.kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
    const article = kind.startsWith('u') ? 'an' : 'a';
    return this.error(`The function is not allowed in ${article} ${kind}; function: ${name}`);
  }

  error(message: string): Rejected {
    return invalid(`Invalid ${this.kind}: ${message}`);
  }

  /** Throws unless the operand has one of these types, if the call gives it. */
  mustBeOf(types: readonly string[], operand: Operand, operator: string): void {
    const { placeholder } = operand;
    if (placeholder === undefined) return;
    this.checks.push(({ values }) => {
      const value = values[placeholder];
      if (value === undefined || types.includes(typeOf(value))) return;
      throw this.error(
        `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${typeOf(value)}`,
      );
    });
  }

  #syntax(found: string, near: string): Rejected {
    return this.error(`Syntax error; token: "${found}", near: "${near}"`);
  }
}

/** A top-level name, then keys of maps and indexes of lists. */
export type Steps = readonly [string, ...(string | number)[]];
export type Path = (given: Given) => Steps;

const functions = new Set([
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'contains',
  'if_not_exists',
  'list_append',
  'size',
]);

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;

function nameIn(tokens: Tokens): (given: Given) => string {
  const name = tokens.next;
  if (!name.startsWith('#') && !plainName.test(name)) throw tokens.unexpected();
  tokens.take();
  if (name.startsWith('#')) {
    tokens.names.add(name);
    return ({ names }) => names[name] as string;
  }
  if (tokens.next === '(') throw tokens.wrongFunction(name);
  if (isReserved(name)) throw tokens.error(`Attribute name is a reserved keyword; reserved keyword: ${name}`);
  return () => name;
}

export function pathIn(tokens: Tokens): Path {
  const root = nameIn(tokens);
  tokens.paths.push(root);
  const rest: ((given: Given) => string | number)[] = [];
  for (;;) {
    if (tokens.takes('.')) rest.push(nameIn(tokens));
    else if (tokens.takes('[')) {
      const index = tokens.next;
      if (!/^\d+$/.test(index)) throw tokens.unexpected();
      if (Number(index) > mostIndex)
        throw tokens.error(`List index is not within the allowable range; index: [${index}]`);
      tokens.take();
      rest.push(() => Number(index));
      tokens.mustTake(']');
    } else if (rest.length >= mostLevels)
      throw tokens.error(`The document path has too many nesting levels; nesting levels: ${rest.length + 1}`);
    else if (rest.length === 0) return (given) => [root(given)];
    else return (given) => [root(given), ...rest.map((step) => step(given))];
  }
}

/** The value at a path; undefined if the item has none. */
export function valueAt(item: Item, [root, ...rest]: Steps): Value | undefined {
  let value = attributeOf(item, root);
  for (const step of rest) {
    if (value === undefined) return undefined;
    if (typeof step === 'number') value = (value.L as Value[] | undefined)?.[step];
    else value = value.M === undefined ? undefined : attributeOf(value.M as Item, step);
  }
  return value;
}

/** A value of the call or of an item; undefined if the item lacks it. */
export interface Operand {
  readonly of: (item: Item, given: Given) => Value | undefined;
  /** The placeholder of a value in the call. */
  readonly placeholder?: string;
  /** The path of a value in the item. */
  readonly path?: Path;
}

export function operandIn(tokens: Tokens): Operand {
  if (tokens.next === '(') return tokens.group(() => operandIn(tokens));
  const placeholder = tokens.next;
  if (placeholder.startsWith(':')) {
    tokens.take();
    tokens.values.add(placeholder);
    return { placeholder, of: (_, { values }) => values[placeholder] };
  }
  const path = pathIn(tokens);
  return { path, of: (item, given) => valueAt(item, path(given)) };
}

/** Throws if an operand is compared with its own path. */
export function mustBeDistinct(
  tokens: Tokens,
  [first, ...others]: readonly Operand[],
  operator: string,
): void {
  const { path } = first ?? {};
  if (!path || others.every((other) => !other.path)) return;
  tokens.checks.push((given) => {
    const written = JSON.stringify(path(given));
    if (others.every((other) => other.path === undefined || JSON.stringify(other.path(given)) !== written))
      return;
    throw tokens.error(
      `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: [${path(given).join(', ')}]`,
    );
  });
}
