import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const file = (data: string) => path.join(data, 'console-address');

/** The console's address of the last start, so that bookmarks and open tabs go on working. */
export const addressBefore = async (data: string | undefined): Promise<string | undefined> => {
  const address = data && (await readFile(file(data), 'utf8').catch(() => ''));
  return address && /^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}$/.test(address) ? address : undefined;
};

/** It opens the console, so only its owner may read it. */
export const keepAddress = async (data: string | undefined, address: string): Promise<void> => {
  if (data) await writeFile(file(data), address, { mode: 0o600 });
};
