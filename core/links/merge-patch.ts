import { isRecord } from '../base/record.ts';

/**
 * A value after a JSON Merge Patch (RFC 7396): objects merge, null takes a member out, all else replaces; so does what lies
 * deeper than a depth.
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
