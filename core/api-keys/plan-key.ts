/**
 * A deployment's usage plan keys. Each project uses one, so a project over its limit slows only a share of
 * the others.
 */
export const planKeyBuckets = 16;

/** The first is the start itself, as it was when there was one key only. */
export const planKeyValue = (start: string, bucket: number): string =>
  bucket === 0 ? start : `${start}-${bucket}`;

/** The bucket of a project: always the same, and spread evenly over projects (FNV-1a). */
export const planKeyBucket = (project: string): number => {
  let hash = 0x811c9dc5;
  for (const character of project) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  // The low bits of short texts alike in their ends are weak, so all bits take part.
  return ((hash ^ (hash >>> 15)) >>> 0) % planKeyBuckets;
};
