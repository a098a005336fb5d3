import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/**
 * What a local stack of 1.2.0 left when it was killed while clicks came in, a receiver was down and a link expired: files by
 * their names, as one character a byte. `made` says what its clients know.
 */
const packed = path.join(import.meta.dirname, 'folder-of-1.2.br');

export const made = {
  /** When it was killed. */
  at: Date.parse('2026-11-27T22:04:12Z'),
  codes: Array.from({ length: 12 }, (_, i) => `kept-${i}`),
  /** As 1.2 counts them when it goes on: 530 visitors had their redirect, and four got none as it was killed. */
  clicks: 534,
  clicksOf: [43, 43, 44, 45, 45, 45, 45, 45, 45, 45, 45, 44],
  shopKey: 'dls_ZRYMz0NayMwqnaes8QFb9IGNhyKTd4CkocTeM59U',
  webhook: 'wh_KIMzB6lj7xvItxqm',
  table: 'DataTableFDBAD0F2',
};

export const unpackFolder = (folder: string): void => {
  const files: Record<string, string> = JSON.parse(brotliDecompressSync(readFileSync(packed)).toString());
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, Buffer.from(content, 'latin1'), { mode: 0o600 });
  }
};
