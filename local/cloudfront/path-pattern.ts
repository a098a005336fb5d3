export type PathMatch = (path: string) => boolean;

/** `*` matches any characters, `?` exactly one; case-sensitive; the leading slash is optional. */
export function compilePathPattern(pattern: string): PathMatch {
  if (pattern === '*' || pattern === '/*') return () => true;
  const source = pattern
    .replace(/^\//, '')
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  // A pattern that starts with a wildcard also matches across the leading slash.
  const compiled = new RegExp(`^/?${source}$`, 's');
  return (path) => compiled.test(path);
}
