import { readdir, rm } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';

/** Some 200 MB; one version of all sources and bundles has 2,000 files. */
const mostFiles = 20_000;

/** Node keeps what it compiles of every version of a file, and drops none: once there are too many, it begins anew. */
export const boundCompiled = async (folder = getCompileCacheDir(), most = mostFiles): Promise<void> => {
  if (folder === undefined) return;
  // Beside this Node's files are those of others.
  const all = path.dirname(folder);
  const files = await readdir(all, { recursive: true });
  if (files.length > most) await rm(all, { recursive: true, force: true });
};
