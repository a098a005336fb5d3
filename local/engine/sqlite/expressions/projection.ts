import type { Item, Value } from '../values.ts';
import { type Given, pathIn, type Steps, type Tokens, valueAt } from './tokens.ts';
import { mustNotOverlap } from './updates.ts';

export type Projection = (item: Item, given: Given) => Item;

export function readProjection(tokens: Tokens): Projection {
  const paths = tokens.list(pathIn);
  tokens.mustBeOver();
  tokens.checks.push((given) =>
    mustNotOverlap(
      paths.map((path) => path(given)),
      tokens,
    ),
  );
  return (item, given) =>
    partsOf(
      item,
      paths.map((path) => path(given)),
    );
}

/** The parts of an item at some paths, within the maps and lists that lead there. */
export function partsOf(item: Item, paths: readonly Steps[]): Item {
  const found = new Map<string, Value>();
  for (const [root, ...rest] of paths) {
    const value = valueAt(item, [root, ...rest]);
    if (value !== undefined) found.set(root, merged(found.get(root), rest, value));
  }
  return Object.fromEntries(found);
}

function merged(whole: Value | undefined, [step, ...rest]: readonly (string | number)[], part: Value): Value {
  if (step === undefined) return part;
  // Selected elements of a list move together.
  if (typeof step === 'number')
    return { L: [...((whole?.L as Value[] | undefined) ?? []), merged(undefined, rest, part)] };
  const map = new Map(Object.entries((whole?.M as Item | undefined) ?? {}));
  map.set(step, merged(map.get(step), rest, part));
  return { M: Object.fromEntries(map) };
}
