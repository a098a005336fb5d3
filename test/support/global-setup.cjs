const { spawn } = require('node:child_process');
const { mkdirSync, mkdtempSync, watch } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { contextFlags, extendedContext } = require('./local-stack.ts');

/**
 * Starts the stack that most files share, and the extended one once a file has made its folder. Each also makes the
 * assembly of its context. Nothing waits here: other tests run meanwhile. A stack for each file took minutes more. A
 * file on the shared stack doesn't count other projects' items, read the log, or stop anything.
 */
module.exports = () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'stacks-'));
  const started = new Map();
  const start = (name, ...flags) => {
    if (!started.has(name)) started.set(name, spawnStack(path.join(folder, name), flags));
  };
  mkdirSync(path.join(folder, 'shared'));
  // On disk at night, where tests write to files next to the engine's.
  start('shared', ...(process.env.NIGHTLY === '1' ? [] : ['--memory']));
  watch(folder, { persistent: false }, (_, name) => {
    // On disk: without a data folder, exports and buses write no file.
    if (name === 'extended') start(name, '--sign-in', ...contextFlags(extendedContext));
  });
  globalThis.sharedStacks = started;
  process.env.SHARED_STACKS = folder;
};

const spawnStack = (data, flags) => {
  const ports = ['--api-port', '0', '--short-port', '0', '--console-port', '0'];
  const withUs = 'data:text/javascript,process.on("disconnect",()=>process.kill(process.pid))';
  // Short, because tests wait until a change of hosts or a suspension takes effect.
  const brief = ['-c', 'localMemoryMs=500'];
  const all = ['--import', withUs, 'ops/dls.js', 'start', '--data', data, ...ports, ...brief, ...flags];
  return spawn(process.execPath, all, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
};
