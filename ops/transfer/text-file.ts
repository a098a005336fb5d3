import { isUtf8 } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { OperatorError, UsageError } from '../base/operator-error.ts';
import { temporaryFolder } from '../base/temporary-folder.ts';

/** A file of text. Closing it frees its resources. */
export interface TextFile extends AsyncDisposable {
  /** The subject of messages, such as `The file links.csv`. */
  readonly title: string;
  /** Its text without a byte order mark, in portions that don't part `\r\n`. It can be read again. */
  readonly text: () => AsyncIterable<string>;
}

/**
 * Opens a file or a pipe of text in UTF-8, or in UTF-16 with a byte order mark. Reads all of it once, to refuse an
 * unknown encoding before any use. Throws OperatorError.
 */
export const openTextFile = async (file: string, title = `The file ${file}`): Promise<TextFile> => {
  const handle = await openBytes(file).catch(({ errno, message }: NodeJS.ErrnoException) => {
    const reason = errno === undefined ? message : getSystemErrorMessage(errno);
    throw new UsageError(`${title} can't be read: ${reason}`);
  });
  const bytes = () => handle.createReadStream({ start: 0, autoClose: false });
  try {
    const encoding = await encodingOf(handle);
    await (encoding === 'utf-8' ? checkUtf8(bytes(), title) : checkUtf16(decoded(bytes(), encoding), title));
    return { title, text: () => decoded(bytes(), encoding), [Symbol.asyncDispose]: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
};

/** The first non-empty line of a file, or its first portion, and whether more follows. */
export const beginOf = async (file: TextFile) => {
  let [line, hasMore] = ['', false];
  // Reads to the end, because abandoning a stream closes the file.
  for await (const portion of file.text()) {
    const [first = '', ...rest] = line === '' ? portion.trim().split(/[\r\n]+/) : ['', portion];
    line ||= first;
    hasMore ||= rest.some((one) => one.trim() !== '');
  }
  return { line, hasMore };
};

/** A file that can be read repeatedly; a copy of a pipe or the like. */
const openBytes = async (file: string): Promise<FileHandle> => {
  const handle = await open(file);
  if ((await handle.stat()).isFile()) return handle;
  const copy = await openNameless();
  // Its stream closes the handle.
  await copy.writeFile(handle.createReadStream()).catch(async (error) => {
    await copy.close();
    throw error;
  });
  return copy;
};

/** An open file without a name, which disappears with this process. */
const openNameless = async (): Promise<FileHandle> => {
  await using folder = await temporaryFolder('links-import-');
  return await open(path.join(folder.path, 'copy'), 'wx+', 0o600);
};

const marks = { fffe: 'utf-16le', feff: 'utf-16be' } as const;

const encodingOf = async (handle: FileHandle) => {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  const mark = buffer.toString('hex', 0, bytesRead);
  return mark === 'fffe' || mark === 'feff' ? marks[mark] : 'utf-8';
};

async function* decoded(bytes: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let held = '';
  for await (const chunk of bytes) {
    const text = held + decoder.decode(chunk, { stream: true });
    held = text.endsWith('\r') ? '\r' : '';
    yield held === '' ? text : text.slice(0, -1);
  }
  yield held + decoder.decode();
}

const newline = 0x0a;

/** Checks whole lines, because a character never spans two. */
const checkUtf8 = async (bytes: AsyncIterable<Buffer>, title: string): Promise<void> => {
  let before = 0;
  const open: Buffer[] = [];
  const check = (lines: Buffer) => {
    if (!isUtf8(lines)) throw wrongEncoding(title, before + firstBrokenLine(lines));
    before += lineBreaksIn(lines);
  };
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(newline) + 1;
    if (end > 0) check(Buffer.concat([...open.splice(0), chunk.subarray(0, end)]));
    open.push(chunk.subarray(end));
  }
  check(Buffer.concat(open));
};

const checkUtf16 = async (text: AsyncIterable<string>, title: string): Promise<void> => {
  try {
    for await (const portion of text) void portion;
  } catch (error) {
    throw error instanceof TypeError ? wrongEncoding(title) : error;
  }
};

const wrongEncoding = (title: string, line?: number) =>
  new OperatorError(
    `${title} isn't in UTF-8${line === undefined ? '' : `, see line ${line}`}: save it as UTF-8 (in Excel as 'CSV UTF-8') and import it again`,
  );

const lineBreaksIn = (bytes: Buffer): number => {
  let count = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    if (bytes[i] === newline || (bytes[i] === 0x0d && bytes[i + 1] !== newline)) count += 1;
  }
  return count;
};

const firstBrokenLine = (bytes: Buffer): number => {
  const lines = bytes.toString('latin1').split(/\r\n|\r|\n/);
  return 1 + lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')));
};
