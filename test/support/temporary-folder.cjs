const { mkdtempSync, readdirSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const isRunning = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/**
 * Gives this process, and all that it starts, a temporary folder that goes with it: syntheses, engines and browsers
 * leave files behind. Also removes the folders of runs that were killed.
 */
module.exports = () => {
  const all = tmpdir();
  for (const name of readdirSync(all)) {
    const [, pid] = /^dynamic-links-tests-(\d+)-/.exec(name) ?? [];
    if (pid && !isRunning(Number(pid))) rmSync(path.join(all, name), { recursive: true, force: true });
  }
  const folder = mkdtempSync(path.join(all, `dynamic-links-tests-${process.pid}-`));
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
};
