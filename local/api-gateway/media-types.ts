export type BinaryMatch = (mediaType: string | undefined) => boolean;

/** Whether a content type, or the first of an Accept list, is one of the API's binary media types. */
export function binaryMatcher(patterns: readonly string[]): BinaryMatch {
  if (patterns.includes('*/*')) return () => true;
  const exact = new Set(patterns.map((pattern) => pattern.toLowerCase()));
  const families = [...exact]
    .filter((pattern) => pattern.endsWith('/*'))
    .map((pattern) => pattern.slice(0, -1));
  return (mediaType) => {
    if (!mediaType || exact.size === 0) return false;
    const [first = ''] = mediaType.toLowerCase().split(/[,;]/, 1);
    return exact.has(first.trim()) || families.some((family) => first.trim().startsWith(family));
  };
}
