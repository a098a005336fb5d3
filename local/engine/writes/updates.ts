import { type Given, type Name, nameIn, type Operand, operandIn, Tokens } from './operands.ts';
import { attributeOf, type Item, numberOf, numeral, sure, type Value } from './values.ts';

export interface Update {
  /** The attributes that it changes. */
  targets(given: Given): readonly string[];
  /** The attributes that an item has afterwards. */
  changed(item: Item, given: Given): Item;
}

interface Change {
  readonly target: Name;
  /** Removes the attribute if undefined. */
  readonly value?: Operand;
}

/** Reads changes of attributes at the top of an item. Throws Unsure at what it doesn't know. */
export function readUpdate(expression: string): Update {
  const tokens = new Tokens(expression);
  const changes: Change[] = [];
  while (!tokens.isOver) {
    const clause = sure(clauses[tokens.take().toUpperCase()], 'a clause');
    changes.push(...tokens.list(clause));
  }
  return {
    targets: (given) => changes.map(({ target }) => target(given)),
    changed: (item, given) => {
      const changed: Record<string, Value> = { ...item };
      // All see the item as it was.
      for (const { target, value } of changes) {
        if (value) changed[target(given)] = sure(value(item, given), 'a value');
        else delete changed[target(given)];
      }
      return changed;
    },
  };
}

const clauses: Readonly<Record<string, (tokens: Tokens) => Change>> = {
  SET: (tokens) => {
    const target = nameIn(tokens);
    tokens.mustTake('=');
    return { target, value: sum(tokens) };
  },
  REMOVE: (tokens) => ({ target: nameIn(tokens) }),
  ADD: (tokens) => {
    const target = nameIn(tokens);
    const amount = operandIn(tokens);
    const before: Operand = (item, given) => attributeOf(item, target(given)) ?? { N: '0' };
    return { target, value: added(before, amount) };
  },
};

function sum(tokens: Tokens): Operand {
  const left = chosen(tokens);
  if (tokens.takes('+')) return added(left, chosen(tokens));
  if (tokens.takes('-')) return added(left, chosen(tokens), -1);
  return left;
}

const added =
  (left: Operand, right: Operand, sign = 1): Operand =>
  (item, given) => {
    const term = (operand: Operand) => numberOf(sure(operand(item, given), 'a term'));
    return numeral(term(left) + sign * term(right));
  };

function chosen(tokens: Tokens): Operand {
  if (!tokens.takes('IF_NOT_EXISTS')) return operandIn(tokens);
  return tokens.within(() => {
    const name = nameIn(tokens);
    tokens.mustTake(',');
    const otherwise = operandIn(tokens);
    return (item, given) => attributeOf(item, name(given)) ?? otherwise(item, given);
  });
}
