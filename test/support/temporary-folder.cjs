const {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

/** Linux's in-memory folder, where engines lose no time syncing throwaway data to disk. */
const memory = '/dev/shm';
/** Bytes required: several times a run's use. */
const roomy = 2 ** 30;

const folderIn = (all) => mkdtempSync(path.join(all, `dynamic-links-tests-${process.pid}-`));

/** A folder in memory; undefined if there is none, too little space, or files can't be run, as in some containers. */
const folderInMemory = () => {
  let folder;
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < roomy) return undefined;
    folder = folderIn(memory);
    const program = path.join(folder, 'program');
    writeFileSync(program, '', { mode: 0o700 });
    accessSync(program, constants.X_OK);
    return folder;
  } catch {
    if (folder) rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
};

const isRunning = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Removes the folders of runs that were killed. */
const removeLeft = (all) => {
  for (const name of existsSync(all) ? readdirSync(all) : []) {
    const [, pid] = /^dynamic-links-tests-(\d+)-/.exec(name) ?? [];
    if (pid && !isRunning(Number(pid))) rmSync(path.join(all, name), { recursive: true, force: true });
  }
};

/**
 * Gives this process and its children a temporary folder that is removed with it: syntheses, engines and browsers leave
 * files behind. It is in memory if possible, unless TMPDIR names another place.
 */
module.exports = () => {
  for (const all of [memory, tmpdir()]) removeLeft(all);
  const folder = (process.env.TMPDIR ? undefined : folderInMemory()) ?? folderIn(tmpdir());
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
};
