import { createWriteStream } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { OperatorError } from '../ops/base/operator-error.ts';
import { factsFile, isListening, isProcessRunning, parsedStack } from '../ops/deployment/running-stack.ts';

/** Makes a private data folder. Throws OperatorError if it can't be made or written, or belongs to another user. */
export const openDataFolder = async (folder: string): Promise<void> => {
  try {
    await makeFolder(path.resolve(folder)).catch((error) => {
      throw Object.assign(error, { path: folder });
    });
    await closeToOthers(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isFile = code === 'EEXIST' || code === 'ENOTDIR';
    throw isFile
      ? new OperatorError(`The data folder ${folder} can't be created: a file has that name. ${otherFolder}`)
      : dataFault(folder, error);
  }
  try {
    const proof = `${factsFile(folder)}.new`;
    await writeFile(proof, ' '.repeat(4096), { mode: 0o600 });
    await rm(proof);
  } catch (error) {
    throw dataFault(folder, error);
  }
};

/** Node's own recursive mkdir never ends below a folder that takes no entries, such as /proc. */
const makeFolder = async (folder: string): Promise<void> => {
  const isThere = (one: string) =>
    stat(one).then(
      (entry) => entry.isDirectory(),
      () => false,
    );
  if (await isThere(folder)) return;
  const parent = path.dirname(folder);
  if (!(await isThere(parent))) await makeFolder(parent);
  await mkdir(folder, { mode: 0o700 }).catch(async (error) => {
    if (!(await isThere(folder))) throw error;
  });
};

const otherFolder = 'Name another one with --data DIR';

/** What a start reads from the folder. */
const trusted = ['secrets.json', 'demo-key', 'stack.json', 'dynamodb'];

/**
 * Makes an existing folder private, and what a start trusts in it. The user's own shared folder stays open. Throws if
 * any of it belongs to another user, who could choose secrets and read keys.
 */
const closeToOthers = async (folder: string): Promise<void> => {
  const user = process.getuid?.();
  if (user === undefined) return;
  // A second region's table has a folder of its own.
  const tables = (await readdir(folder)).filter((name) => name.startsWith('dynamodb-'));
  for (const one of [folder, ...[...trusted, ...tables].map((name) => path.join(folder, name))]) {
    const found = await lstat(one === folder ? await realpath(folder) : one).catch((error) => {
      if (error.code !== 'ENOENT' || one === folder) throw error;
    });
    if (!found) continue;
    if (found.uid !== user)
      throw new OperatorError(
        one === folder
          ? `The data folder ${folder} belongs to another user. ${otherFolder}`
          : `${one} belongs to another user. ${otherFolder}`,
      );
    const isShared = one === folder && (found.mode & 0o1000) !== 0;
    if (!isShared && !found.isSymbolicLink() && (found.mode & 0o077) !== 0)
      await chmod(one, found.mode & 0o700);
  }
};

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  EROFS: 'the disk is read-only',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
};

/** An error of a file in the data folder as one line; any other error as it is. */
export const dataFault = (folder: string, error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { path: file, message, ...fault }: NodeJS.ErrnoException = error;
  // The engine's message.
  const code = /database or disk is full/.test(message) ? 'ENOSPC' : (fault.code ?? '');
  // A refused port has the same message, and also no path.
  const isOurs = file === undefined ? code in reasons && fault.syscall !== 'listen' : isWithin(folder, file);
  if (!isOurs) return error;
  const known = reasons[code];
  const where = file === undefined || path.resolve(file) === path.resolve(folder) ? '' : ` (${file})`;
  const reason = known === undefined ? message : known + where;
  return new OperatorError(`The data folder ${folder} can't be used: ${reason}. ${otherFolder}`);
};

const isWithin = (folder: string, file: string): boolean =>
  `${path.resolve(file)}${path.sep}`.startsWith(`${path.resolve(folder)}${path.sep}`);

/** Whether a stack.json is of a killed stack. Its process id may be reused, even by this process. */
const isStale = async (text: string): Promise<boolean> => {
  const stack = parsedStack(text);
  if (!stack || stack.pid === process.pid || !isProcessRunning(stack.pid)) return true;
  return !(await isListening(stack.services.dynamodb));
};

/** Removes the stack.json that a killed stack left behind. */
export const dropStaleFacts = async (data: string): Promise<void> => {
  const text = await readFile(factsFile(data), 'utf8').catch(() => undefined);
  if (text !== undefined && (await isStale(text))) await rm(factsFile(data), { force: true });
};

/** Opens a log of the functions' output. If it can't be written, `onFault` is called. */
export const openLog = (data: string, onFault: (error: Error) => void) => {
  const file = createWriteStream(path.join(data, 'functions.log')).on('error', onFault);
  return (source: string, text: string) => file.write(`${source} ${text.trimEnd()}\n`);
};
