import type { Remark } from './row.ts';
import { trimmed } from './trimmed.ts';

/** A record of a CSV file: its cells, and the line where it begins. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
  /** Why the record can't be read as intended. */
  readonly fault?: Remark;
}

interface Layout {
  readonly separator: string;
  /** Records before the first one. */
  readonly skipped: number;
}

/**
 * The records of a text by RFC 4180, with any line breaks, without empty lines. `layoutOf` reads its beginning. Unlike
 * `csv-parse`, it names the line of a wrong quote instead of swallowing the rows after it.
 */
export async function* readCsv(
  text: AsyncIterable<string>,
  layoutOf = (_: string): Layout => ({ separator: ',', skipped: 0 }),
): AsyncGenerator<CsvRecord> {
  let reader: CsvReader | undefined;
  let skipped = 0;
  for await (const portion of text) {
    if (!reader) {
      const layout = layoutOf(portion);
      reader = new CsvReader(layout.separator);
      ({ skipped } = layout);
    }
    for (const record of reader.read(portion)) if (skipped-- <= 0) yield record;
  }
  for (const record of reader?.end() ?? []) if (skipped-- <= 0) yield record;
}

/** The layout of a file with a header: a first line `sep=X` names the separator, otherwise comma or tab. */
export const tableLayout = (begin: string): Layout => {
  const [first = ''] = begin.trimStart().split(/[\r\n]/, 1);
  const stated = /^"?sep=([^"])"?$/i.exec(first)?.[1];
  const countOf = (separator: string) => first.split(separator).length;
  const separator = stated ?? (countOf('\t') > countOf(',') ? '\t' : ',');
  return { separator, skipped: stated === undefined ? 0 : 1 };
};

class CsvReader {
  readonly #separator: string;
  /** Special characters, and the text between them. */
  readonly #tokens: RegExp;
  #line = 1;
  #begin = 1;
  #quoteLine = 1;
  #cells: string[] = [];
  #cell = '';
  /** The token before the next one of the cell; `closed` is after a quote that may close the cell. */
  #after: 'nothing' | 'text' | 'quote' | 'closed' = 'nothing';
  #fault: Remark | undefined;

  constructor(separator: string) {
    this.#separator = separator;
    const meant = `"\\r\\n\\u${separator.charCodeAt(0).toString(16).padStart(4, '0')}`;
    this.#tokens = new RegExp(`[^${meant}]+|\\r\\n|[${meant}]`, 'g');
  }

  *read(portion: string): Generator<CsvRecord> {
    for (const [token] of portion.matchAll(this.#tokens)) {
      const isBreak = token.startsWith('\r') || token === '\n';
      if (isBreak && this.#after !== 'quote') yield* this.#endRecord();
      else this.#add(token);
      if (isBreak) this.#line += 1;
      if (isBreak && this.#cells.length === 0 && this.#after === 'nothing') this.#begin = this.#line;
    }
  }

  *end(): Generator<CsvRecord> {
    if (this.#after === 'quote') {
      const rest = "isn't closed, so the rest of the file was not read";
      this.#fault = { reason: `a quote ${rest}`, detail: `the quote in line ${this.#quoteLine} ${rest}` };
      this.#cell = '';
    }
    yield* this.#endRecord();
  }

  #add(token: string): void {
    if (this.#after === 'quote') {
      if (token === '"') this.#after = 'closed';
      else this.#cell += token;
    } else if (token === this.#separator) this.#endCell();
    else if (token === '"' && this.#after !== 'text') {
      if (this.#after === 'closed') this.#cell += token;
      else this.#quoteLine = this.#line;
      this.#after = 'quote';
    } else {
      if (this.#after === 'closed') this.#fault ??= this.#strayQuote();
      this.#cell += token;
      this.#after = 'text';
    }
  }

  #strayQuote(): Remark {
    const lines = this.#line === this.#quoteLine ? '' : `, up to line ${this.#line},`;
    return {
      reason: 'a quote begins a cell in which a quote is not doubled',
      detail: `the quote in line ${this.#quoteLine} begins a cell${lines} in which a quote is not doubled`,
    };
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#after = 'nothing';
  }

  *#endRecord(): Generator<CsvRecord> {
    if (this.#cells.length === 0 && this.#after === 'nothing') return;
    this.#endCell();
    yield {
      line: this.#begin,
      cells: this.#cells,
      ...(this.#fault !== undefined && { fault: this.#fault }),
    };
    this.#cells = [];
    this.#fault = undefined;
  }
}

/**
 * Places where spreadsheets see a formula, or hide the sign: the start of a cell, also after a semicolon, a tab or a
 * line break, which separate cells for some of them. The patterns start with the sign, because a cell may have a
 * million tabs, and looking back is worth it only from a sign.
 */
const begin = '(?:^|[;\\t\\r\\n])\\s*';
const signs = "[=+\\-@'＝＋－＠]";
const risky = new RegExp(`(?=${signs})(?<=${begin})`, 'g');
const guarded = new RegExp(`'(?=${signs})(?<=${begin}')`, 'g');

const writeCell = (value: string): string => {
  const text = value.replaceAll(risky, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** The intended text of a cell. Other programs guard any text at its beginning. */
export const readCell = (cell: string): string =>
  cell.replace(/^'(?![=+\-@'＝＋－＠])/, '').replaceAll(guarded, '');

export const writeRecord = (cells: readonly string[]): string => `${cells.map(writeCell).join(',')}\r\n`;

/** A column's name without differences between programs. */
export const plainName = (name: string): string => trimmed(name).toLowerCase().replaceAll(/\s+/g, ' ');
