const most = { paths: 20, characters: 100 };

/** A path in a header: UTF-8, percent-encoded except for letters, digits and `._-[]`, and cut. */
const encoded = (path: string): string => {
  let text = '';
  for (const character of path) {
    const bytes = [...Buffer.from(character)].map(
      (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    );
    const one = /[\w.[\]-]/.test(character) ? character : bytes.join('');
    if (text.length + one.length > most.characters) break;
    text += one;
  }
  return text;
};

/** The header with the first paths of ignored fields, if there are any. */
export const ignoredFields = (paths: Iterable<string>): { readonly 'X-Ignored-Fields'?: string } => {
  const first: string[] = [];
  for (const path of paths) if (first.push(encoded(path)) === most.paths) break;
  return first.length > 0 ? { 'X-Ignored-Fields': first.join(', ') } : {};
};
