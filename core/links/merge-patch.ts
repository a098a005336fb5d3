import { isRecord } from '../base/record.ts';

/**
 * A value after a JSON Merge Patch (RFC 7396): objects merge, null removes a member, and other values replace, as does
 * everything below `depth`.
 */
export const mergePatch = (target: unknown, patch: unknown, depth = Number.POSITIVE_INFINITY): unknown => {
  if (!isRecord(patch) || depth === 0) return patch;
  const merged = new Map(isRecord(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else if (value !== undefined) merged.set(name, mergePatch(merged.get(name), value, depth - 1));
  }
  return Object.fromEntries(merged);
};

/** The JSON Merge Patch that turns one object without nulls into another. */
export const patchBetween = (from: unknown, to: unknown): unknown => {
  if (!isRecord(from) || !isRecord(to)) return to;
  const names = Object.keys({ ...from, ...to }).filter((name) => textOf(from[name]) !== textOf(to[name]));
  return Object.fromEntries(names.map((name) => [name, patchBetween(from[name], to[name] ?? null)]));
};

/** A text that is equal for equal values, whatever the order of members. */
const textOf = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, one) => (isRecord(one) ? Object.fromEntries(Object.entries(one).sort()) : one));
