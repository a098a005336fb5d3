import { invalid } from '../rejected.ts';
import type { Value } from '../values.ts';
import { mustBeRange } from './conditions.ts';
import { type Given, type Operand, operandIn, type Path, pathIn, type Tokens } from './tokens.ts';

type KeyOperator = '=' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'begins_with';

interface Part {
  readonly path: Path;
  readonly operator: KeyOperator;
  readonly operands: readonly Operand[];
}

/** A query's condition on one key attribute. */
export interface KeyRange {
  readonly name: string;
  readonly operator: KeyOperator;
  readonly values: readonly Value[];
}

export type KeyCondition = (given: Given) => readonly KeyRange[];

export function readKeyCondition(tokens: Tokens): KeyCondition {
  const parts = conjunction(tokens);
  tokens.mustBeOver();
  if (parts.length > 2) throw invalid('Conditions can be of length 1 or 2 only');
  return (given) =>
    parts.map(({ path, operator, operands }) => ({
      name: String(path(given)[0]),
      operator,
      values: operands.map((operand) => operand.of({}, given) as Value),
    }));
}

function conjunction(tokens: Tokens): Part[] {
  const parts = part(tokens);
  while (tokens.takes('AND')) parts.push(...part(tokens));
  if (tokens.next.toUpperCase() === 'OR')
    throw invalid('Invalid operator used in KeyConditionExpression: OR');
  return parts;
}

function part(tokens: Tokens): Part[] {
  if (tokens.next === '(') return tokens.within(() => conjunction(tokens));
  if (tokens.next === 'begins_with' && tokens.second === '(') {
    tokens.take();
    return tokens.within(() => {
      const path = pathIn(tokens);
      tokens.mustTake(',');
      const start = operandIn(tokens);
      tokens.mustBeOf(['S', 'B'], start, 'begins_with');
      return [{ path, operator: 'begins_with', operands: [start] }];
    });
  }
  const path = pathIn(tokens);
  if (tokens.takes('BETWEEN')) {
    const low = operandIn(tokens);
    tokens.mustTake('AND');
    const high = operandIn(tokens);
    mustBeRange(tokens, low, high);
    return [{ path, operator: 'BETWEEN', operands: [low, high] }];
  }
  const operator = tokens.next;
  if (operator === '<>') throw invalid('Invalid operator used in KeyConditionExpression: <>');
  if (!/^(?:=|[<>]=?)$/.test(operator)) throw tokens.unexpected();
  tokens.take();
  return [{ path, operator: operator as KeyOperator, operands: [operandIn(tokens)] }];
}
