const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A value after a JSON Merge Patch (RFC 7396): objects merge, null takes a member out, all else replaces; so does what lies
 * deeper than a depth.
 */
export const mergePatch = (target: unknown, patch: unknown, depth = Number.POSITIVE_INFINITY): unknown => {
  if (!isObject(patch) || depth === 0) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else if (value !== undefined) merged.set(name, mergePatch(merged.get(name), value, depth - 1));
  }
  return Object.fromEntries(merged);
};
