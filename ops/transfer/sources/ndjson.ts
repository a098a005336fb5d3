import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Source, SourceRow } from '../row.ts';

/** Links as `link export` writes them, one JSON object a line; bodies of `POST /links` with a code are such, too. */
export const openNdjson = async (file: string): Promise<Source> => ({
  rows: rowsOf(file),
  holds: () => true,
  isFlat: false,
  isLenient: false,
});

async function* rowsOf(file: string): AsyncGenerator<SourceRow> {
  let line = 0;
  for await (const text of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    line += 1;
    if (text.trim() !== '') yield rowOf(line, line === 1 ? text.replace(/^\uFEFF/, '') : text);
  }
}

const rowOf = (line: number, text: string): SourceRow => {
  const link = objectIn(text);
  if (!link) return { line, code: '', link: {}, fault: 'the line is not a JSON object' };
  const code = typeof link.code === 'string' ? link.code : '';
  return { line, code, link };
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
