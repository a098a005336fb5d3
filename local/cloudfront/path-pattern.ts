export type PathMatch = (path: string) => boolean;

/** `*` is any run of characters, `?` is one; case counts; a leading slash may be left out. */
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
