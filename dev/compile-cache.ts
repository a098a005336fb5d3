import { readdir, rm } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';

/** The most cached files, some 200 MB; one version of all sources and bundles has 2,000 files. */
const mostFiles = 20_000;

/** Clears Node's compile cache once it has too many files: Node keeps every version of a file. */
export const boundCompileCache = async (folder = getCompileCacheDir(), most = mostFiles): Promise<void> => {
  if (folder === undefined) return;
  // The parent folder also has the files of other Node versions.
  const all = path.dirname(folder);
  const files = await readdir(all, { recursive: true });
  if (files.length > most) await rm(all, { recursive: true, force: true });
};
