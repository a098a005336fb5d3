import { randomBytes } from 'node:crypto';
import { appendFileSync, fstatSync, rmSync, type Stats } from 'node:fs';
import { open, readlink, realpath, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { endSignals } from '../base/end-signals.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Sink } from './export.ts';

/** The destination of a file's text. */
interface Place {
  readonly append: (text: string) => Promise<void> | void;
  readonly finish: () => Promise<void> | void;
  readonly discard: () => Promise<void> | void;
}

/** Characters per write. */
const portion = 16_384;

/** Opens a file to write. Throws OperatorError if it can't be written, and so do its functions. */
export const openOutputFile = async (file: string) => {
  const place = await orFault(file, () => placeOf(file));
  let waiting = '';
  const flush = async () => {
    const text = waiting;
    waiting = '';
    await place.append(text);
  };
  return {
    write: async (text: string) => {
      waiting += text;
      if (waiting.length >= portion) await orFault(file, flush);
    },
    /** Writes the rest. A regular file now appears under its name. */
    finish: () =>
      orFault(file, async () => {
        await flush();
        await place.finish();
      }),
    /** Leaves a regular file as it was before. Never throws. */
    discard: async () => place.discard(),
  };
};

/** Writes a whole file. Throws OperatorError if it can't be written, and leaves it as it was before. */
export const writeFile = async <Result>(
  file: string,
  fill: (sink: Sink) => Promise<Result>,
): Promise<Result> => {
  const output = await openOutputFile(file);
  try {
    const result = await fill(output.write);
    await output.finish();
    return result;
  } catch (error) {
    await output.discard();
    throw error;
  }
};

/** Whether both names lead to one file. */
export const isSameFile = async (file: string, other: string): Promise<boolean> => {
  const [one, two] = await Promise.all([file, other].map((name) => stat(name).catch(() => undefined)));
  return one !== undefined && two !== undefined && isSame(one, two);
};

const isSame = (one: Stats, two: Stats): boolean => one.dev === two.dev && one.ino === two.ino;

const placeOf = async (file: string): Promise<Place> => {
  const found = await stat(file).catch(unlessMissing);
  if (found?.isDirectory()) throw new OperatorError(`${file} is a folder: name a file in it`);
  if (found && !found.isFile()) return deviceAt(file);
  // /dev/stdout may lead to a file, and replacing that would lose its other output.
  const descriptor = [1, 2].find((one) => found && isSame(found, fstatSync(one)));
  if (descriptor !== undefined)
    return { append: (text) => appendFileSync(descriptor, text), finish: nothing, discard: nothing };
  return partOf(await linkedFrom(file), found?.mode);
};

const nothing = () => undefined;

/** A pipe or a device, which can't be replaced. */
const deviceAt = async (file: string): Promise<Place> => {
  const handle = await open(file, 'w');
  const close = () => handle.close();
  return { append: (text) => handle.appendFile(text), finish: close, discard: () => close().catch(nothing) };
};

/** A file next to the one that it finally replaces. */
const partOf = async (file: string, mode: number | undefined): Promise<Place> => {
  // A unique name, because `X.part` may be the user's file.
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  const handle = await open(part, 'wx');
  const keep = removeWhenProcessEnds(part);
  if (mode !== undefined) await handle.chmod(mode & 0o7777);
  return {
    append: (text) => handle.appendFile(text),
    finish: async () => {
      await handle.close();
      await rename(part, file);
      keep();
    },
    discard: async () => {
      await handle.close().catch(nothing);
      rmSync(part, { force: true });
      keep();
    },
  };
};

/** The target of symbolic links, even if it doesn't exist yet. */
const linkedFrom = async (file: string): Promise<string> => {
  const real = await realpath(file).catch(unlessMissing);
  if (real !== undefined) return real;
  const next = await readlink(file).catch(() => undefined);
  return next === undefined ? file : linkedFrom(path.resolve(path.dirname(file), next));
};

const unlessMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
};

const listeners = new Set<unknown>();

/** Removes a file if the process ends; the function that it returns keeps the file. */
const removeWhenProcessEnds = (file: string): (() => void) => {
  const remove = () => rmSync(file, { force: true });
  const end = (signal: NodeJS.Signals) => {
    // Another listener ends the process in its own way.
    if (process.listeners(signal).some((one) => !listeners.has(one))) return;
    remove();
    // Without this listener the signal has its usual effect.
    for (const one of endSignals) process.off(one, end);
    process.kill(process.pid, signal);
  };
  listeners.add(end);
  process.once('exit', remove);
  for (const signal of endSignals) process.on(signal, end);
  return () => {
    listeners.delete(end);
    process.off('exit', remove);
    for (const signal of endSignals) process.off(signal, end);
  };
};

const orFault = async <Result>(file: string, act: () => Promise<Result>): Promise<Result> => {
  try {
    return await act();
  } catch (error) {
    const { errno } = error as NodeJS.ErrnoException;
    if (errno === undefined) throw error;
    throw new OperatorError(`The file ${file} can't be written: ${getSystemErrorMessage(errno)}`);
  }
};
