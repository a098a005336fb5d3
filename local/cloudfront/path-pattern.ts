export type PathMatch = (path: string) => boolean;

/** Compiles a path pattern: `*` matches any characters, `?` exactly one; case-sensitive, leading slash optional. */
export function compilePathPattern(pattern: string): PathMatch {
  if (pattern === '*' || pattern === '/*') return () => true;
  const source = pattern
    .replace(/^\//, '')
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  // A pattern that starts with a wildcard also matches across the leading slash.
  const compiled = new RegExp(`^/?${source}$`, 's');
  return (path) => compiled.test(normalized(path));
}

/** CloudFront compares paths as RFC 3986 normalizes them, and passes them on as they were sent. */
function normalized(path: string): string {
  return path.replaceAll(/%(?:2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/gi, decodeURIComponent);
}
