import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { openTextFile, type TextFile } from '../../../ops/transfer/text-file.ts';
import { newFolder } from '../../support/folder.ts';

const folder = newFolder();

const fileOf = (bytes: Buffer | string): string => {
  const file = path.join(folder, 'links.csv');
  writeFileSync(file, bytes);
  return file;
};

const portionsOf = ({ text }: TextFile): Promise<string[]> => Readable.from(text()).toArray();

const textOf = async (file: string): Promise<string[]> => {
  await using opened = await openTextFile(file);
  return await portionsOf(opened);
};

/** Longer than one read, so that a character and a line lie across. */
const long = 'ü€😀\r\n'.repeat(20_000);

test.each([
  ['UTF-8', Buffer.from(long)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${long}`)],
  ['UTF-16', Buffer.from(`\uFEFF${long}`, 'utf16le')],
  ['UTF-16, big endian', Buffer.from(`\uFEFF${long}`, 'utf16le').swap16()],
])('%s is read as it was meant, and again', async (_, bytes) => {
  await using opened = await openTextFile(fileOf(bytes));
  for (let time = 0; time < 2; time += 1) {
    const portions = await portionsOf(opened);
    expect(portions.join('') === long).toBe(true);
    expect(portions.length).toBeGreaterThan(1);
    expect(portions.filter((portion) => portion.endsWith('\r'))).toEqual([]);
  }
});

test('a replacement character in UTF-8 is text like other', async () => {
  expect((await textOf(fileOf('a\uFFFD\n'))).join('')).toBe('a\uFFFD\n');
});

test('bytes that are not UTF-8 are refused with the line in which they are', async () => {
  const lineBreak = fc.constantFrom('\n', '\r\n', '\r');
  const lines = fc.array(fc.tuple(fc.constantFrom('', 'a', 'ü', '"€"', '😀'.repeat(30_000)), lineBreak));
  await fc.assert(
    fc.asyncProperty(lines, lines, async (before, after) => {
      const text = (of: typeof before) => Buffer.from(of.flat().join(''));
      // A line break before it, so that it can't complete one.
      const bytes = Buffer.concat([text(before), Buffer.from('x Caf\xe9\n', 'latin1'), text(after)]);
      const line =
        1 +
        (before
          .flat()
          .join('')
          .match(/\r\n|\r|\n/g)?.length ?? 0);
      await expect(openTextFile(fileOf(bytes))).rejects.toThrow(
        new RegExp(`links.csv isn't in UTF-8, see line ${line}: save it as UTF-8`),
      );
    }),
    { numRuns: 30 },
  );
});

test.each([
  ['that ends inside a character', Buffer.from('ab€').subarray(0, 4)],
  ['in UTF-16 that ends inside a character', Buffer.from('\uFEFFab', 'utf16le').subarray(0, 5)],
])('a file %s is refused', async (_, bytes) => {
  await expect(openTextFile(fileOf(bytes))).rejects.toThrow("isn't in UTF-8");
});

test('a pipe is read like a file, and leaves no copy behind', async () => {
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('links-import-'));
  const before = copies();
  const [text] = await Promise.all([textOf(pipe), writeFile(pipe, long)]);
  expect(text.join('') === long).toBe(true);
  expect(copies()).toEqual(before);
});

test.each([
  ['nowhere.csv', 'no such file or directory'],
  ['.', 'illegal operation on a directory'],
])('%s cannot be read: %s', async (name, reason) => {
  await expect(openTextFile(path.join(folder, name))).rejects.toThrow(`can't be read: ${reason}`);
});
