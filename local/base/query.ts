export type MultiValues = Readonly<Record<string, readonly string[]>>;

/** Decoded names and values, with `+` as a space; null if there are none. */
export function parseQuery(text: string): MultiValues | null {
  const query: Record<string, string[]> = Object.create(null);
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const values = query[name] ?? [];
    values.push(equals < 0 ? '' : decode(pair.slice(equals + 1)));
    Object.defineProperty(query, name, {
      value: values,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return Object.keys(query).length > 0 ? query : null;
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
