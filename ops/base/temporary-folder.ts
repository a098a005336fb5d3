import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A new folder that no other user can read; deleted when it is disposed. */
export const temporaryFolder = async (prefix: string) => {
  const folder = await mkdtemp(path.join(tmpdir(), prefix));
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
};
