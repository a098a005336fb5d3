import { existsSync, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import path from 'node:path';

export interface SourceFiles {
  /** The files that were made, written, replaced or deleted since the last call. */
  changed(): string[];
  stop(): void;
}

interface Followed {
  /** Identifies the folder: another one with its name differs. */
  readonly identity: string;
  readonly watcher: FSWatcher;
}

/** Matches editors' temporary files. */
const passing = /^\.|~$|\.tmp$/;

/**
 * Calls back when sources may have changed. Watches each folder: on Linux, a recursive watch follows a file's inode and
 * misses all changes after `git checkout` or an editor has replaced the file.
 */
export const followSources = (root: string, names: readonly string[], onChange: () => void): SourceFiles => {
  const folders = new Map<string, Followed>();
  const follow = (folder: string, identity: string): void => {
    const before = folders.get(folder);
    if (before?.identity === identity) return;
    before?.watcher.close();
    const watcher = watch(path.join(root, folder), (_, name) => {
      if (!name || !passing.test(name)) onChange();
    });
    // The folder was deleted; the watch of its parent reports that.
    watcher.on('error', () => undefined);
    folders.set(folder, { identity, watcher });
  };
  const walk = (): ReadonlyMap<string, string> => {
    const files = new Map<string, string>();
    const found = new Set<string>();
    const enter = (folder: string, inside: (folder: string) => readonly string[]): void => {
      const at = statSync(path.join(root, folder), { throwIfNoEntry: false });
      if (!at) return;
      try {
        // Before the folder is read, so that no later write is missed.
        follow(folder, `${at.ino} ${at.birthtimeMs}`);
        found.add(folder);
        for (const name of inside(folder)) look(path.posix.join(folder, name));
      } catch (error) {
        // A folder that was deleted meanwhile has no files.
        if (existsSync(path.join(root, folder))) throw error;
      }
    };
    const look = (name: string): void => {
      const at = statSync(path.join(root, name), { throwIfNoEntry: false });
      if (at?.isDirectory()) enter(name, entriesOf);
      // Temporary files of `sed -i` and Vim have no extension; every source has one.
      else if (at?.isFile() && path.extname(name) !== '')
        files.set(name, `${at.ino} ${at.size} ${at.mtimeMs}`);
    };
    const entriesOf = (folder: string) =>
      readdirSync(path.join(root, folder)).filter((name) => !passing.test(name));
    for (const name of names) enter(path.dirname(name), () => [path.basename(name)]);
    for (const [folder, { watcher }] of folders) {
      if (found.has(folder)) continue;
      watcher.close();
      folders.delete(folder);
    }
    return files;
  };
  let known = walk();
  return {
    changed: () => {
      const before = known;
      known = walk();
      const all = new Set([...before.keys(), ...known.keys()]);
      return [...all].filter((file) => before.get(file) !== known.get(file));
    },
    stop: () => {
      for (const { watcher } of folders.values()) watcher.close();
    },
  };
};
