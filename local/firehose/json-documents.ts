/** Parses consecutive JSON objects, with or without space between them. Throws for anything else. */
export function jsonDocuments(text: string): Record<string, unknown>[] {
  const documents: Record<string, unknown>[] = [];
  let start = -1;
  let depth = 0;
  // Strings as a whole, so that braces in them don't count.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]|[^\s{}"]+/gs)) {
    if (depth === 0 && token !== '{') throw new SyntaxError(`unexpected ${token.slice(0, 20)}`);
    if (token === '{') {
      if (depth === 0) start = index;
      depth += 1;
    } else if (token === '}') {
      depth -= 1;
      if (depth === 0) documents.push(JSON.parse(text.slice(start, index + 1)));
    }
  }
  if (depth !== 0) throw new SyntaxError('the last object does not end');
  return documents;
}
