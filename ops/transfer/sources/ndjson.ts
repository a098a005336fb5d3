import { isRecord } from '../../../core/base/record.ts';
import { OperatorError } from '../../base/operator-error.ts';
import type { ImportWarning, Source, SourceRow } from '../row.ts';
import { readShortUrl } from '../short-url.ts';
import { beginOf, type TextFile } from '../text-file.ts';
import { trimmed } from '../trimmed.ts';
import { shownColumn } from '../unknown-columns.ts';

/**
 * Links as `link export` writes them, one JSON object a line; bodies of `POST /links` with a code are such, too. Throws
 * OperatorError for JSON in another form.
 */
export const openNdjson = async (file: TextFile): Promise<Source> => {
  const { line, hasMore } = await beginOf(file);
  // An array among other lines is a faulty row.
  const isArray = line.startsWith('[') && !(hasMore && jsonIn(line) !== undefined);
  if (isArray) throw notByLine(file.title, 'holds a JSON array', '.[]');
  if (line === '{') throw notByLine(file.title, 'holds JSON of several lines', '.');
  return { rows: () => rowsOf(file.text()), holds: () => true, isFlat: false, isLenient: false };
};

const notByLine = (title: string, holds: string, filter: string) =>
  new OperatorError(
    `${title} ${holds}; an import takes one object a line: jq -c '${filter}' FILE > links.ndjson (JSON of other services must become CSV)`,
  );

async function* rowsOf(text: AsyncIterable<string>): AsyncGenerator<SourceRow> {
  let line = 0;
  for await (const row of linesOf(text)) {
    line += 1;
    if (row.trim() !== '') yield rowOf(line, row);
  }
}

/** The lines of a text. `node:readline` would also break at U+2028 and U+2029, which JSON strings may contain. */
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
  const list =
    link.payload === undefined && link.code === undefined
      ? Object.entries(link).find(([, value]) => isList(value))
      : undefined;
  if (list) return { line, code: '', link: {}, fault: around(list[0]) };
  const code = typeof link.code === 'string' ? trimmed(link.code) : '';
  const shortHosts = [link.shortUrl, link.shortLink].flatMap((url) =>
    typeof url === 'string' ? (readShortUrl(url)?.host ?? []) : [],
  );
  return { line, code, link, shortHosts };
};

const isList = (value: unknown): boolean =>
  Array.isArray(value) && value.some((one) => typeof one === 'object' && one !== null);

/** The fault of a file with an API's page of links. */
const around = (name: string): ImportWarning => ({
  reason: "the object holds a list in place of a link: jq -c '.LIST[]' writes its entries as lines",
  detail: `the object holds the list '${shownColumn(name)}' in place of a link`,
});

const objectIn = (text: string): Record<string, unknown> | undefined => {
  const value = jsonIn(text);
  return isRecord(value) ? { ...value } : undefined;
};

/** The value of a JSON text; addresses in it lose surrounding characters that nobody sees. */
const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text, (_, value) =>
      typeof value === 'string' && /^https?:/i.test(trimmed(value)) ? trimmed(value) : value,
    );
  } catch {
    return undefined;
  }
};
