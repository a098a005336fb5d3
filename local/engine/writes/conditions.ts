import { type Given, nameIn, operandIn, Tokens } from './operands.ts';
import { attributeOf, type Item, orderOf, sure, textOf, Unsure } from './values.ts';

/** Whether an item meets it; one that isn't there has no attributes. */
export type Condition = (item: Item, given: Given) => boolean;

/** Reads conditions on attributes at the top of an item. Throws Unsure at what it doesn't know. */
export function readCondition(expression: string): Condition {
  const tokens = new Tokens(expression);
  const condition = either(tokens);
  if (!tokens.isOver) throw new Unsure(tokens.next);
  return condition;
}

function either(tokens: Tokens): Condition {
  const all = [both(tokens)];
  while (tokens.takes('OR')) all.push(both(tokens));
  return (item, given) => all.some((one) => one(item, given));
}

function both(tokens: Tokens): Condition {
  const all = [single(tokens)];
  while (tokens.takes('AND')) all.push(single(tokens));
  return (item, given) => all.every((one) => one(item, given));
}

function single(tokens: Tokens): Condition {
  if (tokens.takes('NOT')) {
    const negated = single(tokens);
    return (item, given) => !negated(item, given);
  }
  if (tokens.next === '(') return tokens.within(() => either(tokens));
  const called = functions[tokens.next.toUpperCase()];
  if (!called) return comparison(tokens);
  tokens.take();
  return tokens.within(() => called(tokens));
}

const functions: Readonly<Record<string, (tokens: Tokens) => Condition>> = {
  ATTRIBUTE_EXISTS: (tokens) => {
    const name = nameIn(tokens);
    return (item, given) => attributeOf(item, name(given)) !== undefined;
  },
  ATTRIBUTE_NOT_EXISTS: (tokens) => {
    const name = nameIn(tokens);
    return (item, given) => attributeOf(item, name(given)) === undefined;
  },
  CONTAINS: (tokens) => {
    const name = nameIn(tokens);
    tokens.mustTake(',');
    const part = operandIn(tokens);
    return (item, given) => {
      const whole = attributeOf(item, name(given));
      return whole !== undefined && textOf(whole).includes(textOf(sure(part(item, given), 'a part')));
    };
  },
};

function comparison(tokens: Tokens): Condition {
  const left = operandIn(tokens);
  if (tokens.takes('IN')) {
    const others = tokens.within(() => tokens.list(operandIn));
    return (item, given) => {
      const one = left(item, given);
      return others.some((other) => orderOf(one, other(item, given)) === 0);
    };
  }
  const holds = comparators.get(tokens.take());
  if (!holds) throw new Unsure('a comparator');
  const right = operandIn(tokens);
  return (item, given) => holds(orderOf(left(item, given), right(item, given)));
}

type Comparator = (order: number | undefined) => boolean;

const comparators: ReadonlyMap<string, Comparator> = new Map<string, Comparator>([
  ['=', (order) => order === 0],
  ['<>', (order) => order !== 0],
  ['<', (order) => order !== undefined && order < 0],
  ['<=', (order) => order !== undefined && order <= 0],
  ['>', (order) => order !== undefined && order > 0],
  ['>=', (order) => order !== undefined && order >= 0],
]);
