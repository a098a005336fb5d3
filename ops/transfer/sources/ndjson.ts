import type { Source, SourceRow } from '../row.ts';
import { readShortUrl } from '../short-url.ts';
import type { TextFile } from '../text-file.ts';

/** Links as `link export` writes them, one JSON object a line; bodies of `POST /links` with a code are such, too. */
export const openNdjson = async (file: TextFile): Promise<Source> => ({
  rows: () => rowsOf(file.text()),
  holds: () => true,
  isFlat: false,
  isLenient: false,
});

async function* rowsOf(text: AsyncIterable<string>): AsyncGenerator<SourceRow> {
  let line = 0;
  for await (const row of linesOf(text)) {
    line += 1;
    if (row.trim() !== '') yield rowOf(line, row);
  }
}

/** Not by `node:readline`, which also breaks lines at U+2028 and U+2029; JSON has them in texts as they are. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  const lineBreak = /\r\n|\r|\n/;
  let open = '';
  for await (const portion of text) {
    open += portion;
    if (!lineBreak.test(portion)) continue;
    const lines = open.split(lineBreak);
    open = lines.pop() ?? '';
    yield* lines;
  }
  yield open;
}

const rowOf = (line: number, text: string): SourceRow => {
  const link = objectIn(text);
  if (!link) return { line, code: '', link: {}, fault: { reason: 'the line is not a JSON object' } };
  const code = typeof link.code === 'string' ? link.code : '';
  const shortHosts = [link.shortUrl, link.shortLink].flatMap((url) =>
    typeof url === 'string' ? (readShortUrl(url)?.host ?? []) : [],
  );
  return { line, code, link, shortHosts };
};

const objectIn = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
};
