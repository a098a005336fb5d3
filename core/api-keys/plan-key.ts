/** Number of usage plan keys. Each project uses one, so a project over its limit slows only some of the others. */
export const planKeyBuckets = 16;

/** A usage plan key's value. The first is `start` itself, from when there was only one key. */
export const planKeyValue = (start: string, bucket: number): string =>
  bucket === 0 ? start : `${start}-${bucket}`;

/** A project's bucket, by FNV-1a: always the same, and spread evenly. */
export const planKeyBucket = (project: string): number => {
  let hash = 0x811c9dc5;
  for (const character of project) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  // The low bits are weak for short texts with similar endings, so all bits are used.
  return ((hash ^ (hash >>> 15)) >>> 0) % planKeyBuckets;
};

/** Number of plan keys for publishable keys, which never slow calls with secret keys. */
export const sharePlanKeyBuckets = 4;

/** The value of the plan key for a project's publishable keys. */
export const sharePlanKeyValue = (start: string, project: string): string =>
  shareBucketValue(start, planKeyBucket(project) % sharePlanKeyBuckets);

export const shareBucketValue = (start: string, bucket: number): string => `${start}-share-${bucket}`;
