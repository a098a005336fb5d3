import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalStack } from '../local/stack.ts';
import { appFolder, sources } from './app.ts';
import { followSources } from './source-files.ts';

export interface ReloadingStack {
  /** Resolves, with the reason, when the stack can't continue. */
  readonly died: Promise<string>;
  stop(): Promise<void>;
}

interface Following {
  /** Resolves to the folder of an assembly of the present sources. */
  readonly assemble: () => Promise<string>;
  /** Folder of the running assembly. */
  readonly assembly: string;
  readonly print: (text: string) => void;
}

/** Milliseconds without changes: editors write a file in several steps, and branches have many files. */
const quietMs = 50;

/** Reloads a stack after each change of its sources. Build errors are printed, and the earlier code keeps serving. */
export const reloadOnChanges = (
  first: LocalStack,
  { assemble, assembly, print }: Following,
): ReloadingStack => {
  const died = Promise.withResolvers<string>();
  /** Changes that aren't loaded yet. */
  const left = new Set<string>();
  let [stack, taken] = [first, assembly];
  let isStopping = false;
  let work: Promise<void> | undefined;
  void first.died.then(died.resolve);

  const replace = async (next: string): Promise<void> => {
    stack = await stack.replace(next);
    void stack.died.then(died.resolve);
  };
  const takeUp = async (): Promise<void> => {
    const since = performance.now();
    const next = await assemble().catch((error: Error) => {
      print(`Not reloaded, the previous code keeps serving: ${faultIn(error.message)}`);
    });
    if (next === undefined) return;
    const files = listed([...left]);
    try {
      if (next !== taken && !isStopping) {
        await replace(next);
        print(`Reloaded ${files} in ${((performance.now() - since) / 1000).toFixed(1)} s`);
      }
    } catch (error) {
      print(`Not reloaded, the stack doesn't start: ${faultIn(String(error))}`);
      return replace(taken);
    }
    left.clear();
    taken = next;
  };
  const follow = async (): Promise<void> => {
    for (;;) {
      await sleep(quietMs);
      const changed = isStopping ? [] : files.changed();
      if (changed.length === 0) break;
      for (const file of changed) left.add(file);
      await takeUp();
    }
    work = undefined;
  };
  const files = followSources(appFolder, sources, () => {
    work ??= follow().catch((error) => died.resolve(String(error)));
  });
  return {
    died: died.promise,
    stop: async () => {
      isStopping = true;
      files.stop();
      await work;
      await stack.stop();
    },
  };
};

type Log = (source: string, text: string) => void;

/** Prints errors of functions after a reload, which otherwise only a request shows. */
export const printingLoadFailures =
  (log: Log, print: (text: string) => void): Log =>
  (source, text) => {
    log(source, text);
    if (text.startsWith('INIT_REPORT'))
      print(`${source} fails to load, so every call fails: ${faultIn(text)}`);
  };

const listed = (files: readonly string[]): string => {
  const named = files.toSorted().slice(0, 3).join(', ');
  return files.length > 3 ? `${named} and ${files.length - 3} more` : named;
};

/** The line with the fault and its place in the output of esbuild or Node. */
const faultIn = (words: string): string => {
  const [built] = /^\S+:\d+:\d+: ERROR: .*/m.exec(words) ?? [];
  if (built !== undefined) return built.replace(' ERROR:', '');
  const [, place] = /^file:\/\/(\S+:\d+)$/m.exec(words) ?? [];
  const [thrown = words.trim().split('\n')[0] ?? ''] = /^(?:\w*Error\b.*)/m.exec(words) ?? [];
  return place === undefined ? thrown : `${path.relative(appFolder, place)}: ${thrown}`;
};
