import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

const file = (data: string) => path.join(data, 'console-address');

/** The console's last address, so that bookmarks work; ignored if another user could have written or read it. */
export const addressBefore = async (data: string | undefined): Promise<string | undefined> => {
  const { uid, mode } = (data && (await stat(file(data)).catch(() => undefined))) || {};
  const own = process.getuid?.();
  if (!data || mode === undefined || (own !== undefined && (uid !== own || (mode & 0o077) !== 0)))
    return undefined;
  const address = await readFile(file(data), 'utf8').catch(() => '');
  return /^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}$/.test(address) ? address : undefined;
};

/** Stores the address, which opens the console, so only its owner may read it. */
export const keepAddress = async (data: string | undefined, address: string): Promise<void> => {
  if (!data) return;
  await rm(file(data), { force: true });
  await writeFile(file(data), address, { mode: 0o600, flag: 'wx' });
};
