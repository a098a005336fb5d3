import { type Item, isSame, isSet, isType, orderOf, typeOf, type Value } from '../values.ts';
import { type Given, mustBeDistinct, type Operand, operandIn, type Tokens } from './tokens.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-expression-parameters */
const mostOthers = 100;

/** Whether an item meets the condition; a missing item has no attributes. */
export type Condition = (item: Item, given: Given) => boolean;

export function readCondition(tokens: Tokens): Condition {
  const condition = either(tokens);
  tokens.mustBeOver();
  return condition;
}

function either(tokens: Tokens): Condition {
  const all = [both(tokens)];
  while (tokens.takes('OR')) all.push(both(tokens));
  return all.length === 1 ? (all[0] as Condition) : (item, given) => all.some((one) => one(item, given));
}

function both(tokens: Tokens): Condition {
  const all = [single(tokens)];
  while (tokens.takes('AND')) all.push(single(tokens));
  return all.length === 1 ? (all[0] as Condition) : (item, given) => all.every((one) => one(item, given));
}

function single(tokens: Tokens): Condition {
  if (tokens.takes('NOT')) {
    const negated = single(tokens);
    return (item, given) => !negated(item, given);
  }
  if (tokens.next === '(') return tokens.group(() => either(tokens));
  const called = tokens.second === '(' ? functions.get(tokens.next) : undefined;
  if (!called) return comparison(tokens);
  tokens.take();
  return tokens.within(() => called(tokens));
}

const functions: ReadonlyMap<string, (tokens: Tokens) => Condition> = new Map([
  ['attribute_exists', (tokens: Tokens) => existence(tokens, true)],
  ['attribute_not_exists', (tokens: Tokens) => existence(tokens, false)],
  ['attribute_type', ofType],
  ['begins_with', beginning],
  ['contains', containing],
]);

function pathOperand(tokens: Tokens, name: string): Operand {
  const operand = operandIn(tokens);
  if (operand.path) return operand;
  throw tokens.error(`Operator or function requires a document path; operator or function: ${name}`);
}

function existence(tokens: Tokens, exists: boolean): Condition {
  const operand = pathOperand(tokens, exists ? 'attribute_exists' : 'attribute_not_exists');
  return (item, given) => (operand.of(item, given) !== undefined) === exists;
}

function ofType(tokens: Tokens): Condition {
  const operand = pathOperand(tokens, 'attribute_type');
  tokens.mustTake(',');
  const type = operandIn(tokens);
  tokens.mustBeOf(['S'], type, 'attribute_type');
  const { placeholder = '' } = type;
  tokens.checks.push(({ values }) => {
    const name = values[placeholder]?.S;
    if (!isType(String(name)))
      throw tokens.error(
        `Invalid attribute type name found; type: ${name}, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}`,
      );
  });
  return (item, given) => {
    const value = operand.of(item, given);
    return value !== undefined && typeOf(value) === type.of(item, given)?.S;
  };
}

function beginning(tokens: Tokens): Condition {
  const whole = operandIn(tokens);
  tokens.mustTake(',');
  const start = operandIn(tokens);
  mustBeDistinct(tokens, [whole, start], 'begins_with');
  for (const operand of [whole, start]) tokens.mustBeOf(['S', 'B'], operand, 'begins_with');
  return (item, given) => {
    const [one, other] = [whole.of(item, given), start.of(item, given)];
    if (!one || !other || typeOf(one) !== typeOf(other)) return false;
    if (one.S !== undefined) return String(one.S).startsWith(String(other.S));
    return one.B !== undefined && bytesOf(one).subarray(0, bytesOf(other).length).equals(bytesOf(other));
  };
}

const bytesOf = ({ B: text }: Value) => Buffer.from(String(text), 'base64');

function containing(tokens: Tokens): Condition {
  const whole = operandIn(tokens);
  tokens.mustTake(',');
  const part = measured(tokens);
  mustBeDistinct(tokens, [whole, part], 'contains');
  return (item, given) => {
    const [one, other] = [whole.of(item, given), part.of(item, given)];
    if (!one || !other) return false;
    const type = typeOf(one);
    if (type === 'L') return (one.L as Value[]).some((value) => isSame(value, other));
    if (isSet(type)) return (one[type] as string[]).includes(String(other[type.charAt(0)]));
    if (type === 'S') return other.S !== undefined && String(one.S).includes(String(other.S));
    return type === 'B' && other.B !== undefined && bytesOf(one).includes(bytesOf(other));
  };
}

function comparison(tokens: Tokens): Condition {
  const left = measured(tokens);
  if (tokens.takes('IN')) {
    const others = tokens.within(() => tokens.list(measured));
    if (others.length > mostOthers)
      throw tokens.error(
        `The IN operator is provided with too many operands; number of operands: ${others.length}`,
      );
    mustBeDistinct(tokens, [left, ...others], 'IN');
    return (item, given) => {
      const one = left.of(item, given);
      return others.some((other) => isSame(one, other.of(item, given)));
    };
  }
  if (tokens.takes('BETWEEN')) {
    const low = measured(tokens);
    tokens.mustTake('AND');
    const high = measured(tokens);
    mustBeDistinct(tokens, [left, low, high], 'BETWEEN');
    for (const operand of [left, low, high]) tokens.mustBeOf(ordered, operand, 'BETWEEN');
    mustBeRange(tokens, low, high);
    return (item, given) => {
      const one = left.of(item, given);
      return (orderOf(one, low.of(item, given)) ?? -1) >= 0 && (orderOf(one, high.of(item, given)) ?? 1) <= 0;
    };
  }
  const sign = tokens.next;
  const holds = comparators.get(sign);
  if (!holds) throw tokens.unexpected();
  tokens.take();
  const right = measured(tokens);
  mustBeDistinct(tokens, [left, right], sign);
  if (!sign.includes('=') || sign.length > 1)
    if (sign !== '<>') for (const operand of [left, right]) tokens.mustBeOf(ordered, operand, sign);
  return (item, given) => holds(left.of(item, given), right.of(item, given));
}

const ordered = ['S', 'N', 'B'];

/** Throws unless the range is valid, if the call gives both ends. */
export function mustBeRange(tokens: Tokens, low: Operand, high: Operand): void {
  const [from, to] = [low.placeholder, high.placeholder];
  if (from === undefined || to === undefined) return;
  tokens.checks.push(({ values }) => {
    const [one, other] = [values[from], values[to]] as [Value, Value];
    const fault =
      typeOf(one) !== typeOf(other)
        ? 'same data type'
        : 'upper bound to be greater than or equal to lower bound';
    if (typeOf(one) === typeOf(other) && (orderOf(one, other) ?? 0) <= 0) return;
    const shown = (value: Value) => `AttributeValue: {${typeOf(value)}:${value[typeOf(value)]}}`;
    throw tokens.error(
      `The BETWEEN operator requires ${fault}; lower bound operand: ${shown(one)}, upper bound operand: ${shown(other)}`,
    );
  });
}

type Comparator = (one: Value | undefined, other: Value | undefined) => boolean;

const byOrder =
  (holds: (order: number) => boolean): Comparator =>
  (one, other) => {
    const order = orderOf(one, other);
    return order !== undefined && holds(order);
  };

const comparators: ReadonlyMap<string, Comparator> = new Map<string, Comparator>([
  ['=', isSame],
  ['<>', (one, other) => !isSame(one, other)],
  ['<', byOrder((order) => order < 0)],
  ['<=', byOrder((order) => order <= 0)],
  ['>', byOrder((order) => order > 0)],
  ['>=', byOrder((order) => order >= 0)],
]);

/** Parses an operand, or the size of one. */
function measured(tokens: Tokens): Operand {
  if (tokens.next !== 'size' || tokens.second !== '(') return operandIn(tokens);
  tokens.take();
  const operand = tokens.within(() => operandIn(tokens));
  tokens.mustBeOf(['S', 'B', 'SS', 'NS', 'BS', 'L', 'M'], operand, 'size');
  return { of: (item, given) => sizeOf(operand.of(item, given)) };
}

function sizeOf(value: Value | undefined): Value | undefined {
  if (value === undefined) return undefined;
  const content = value[typeOf(value)];
  if (value.B !== undefined) return { N: String(bytesOf(value).length) };
  if (value.S !== undefined) return { N: String(Buffer.byteLength(String(content))) };
  if (typeof content !== 'object' || content === null) return undefined;
  return { N: String(Object.keys(content).length) };
}
