const { execFileSync, spawn } = require('node:child_process');
const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const contexts = require('./contexts.cjs');

/** Synthesizes the stacks once, side by side, before test files would each do it, and starts the one that files share. */
module.exports = () => {
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { assemble } = await import('./ops/local/app.ts');
       await Promise.all([{}, ...${JSON.stringify(Object.values(contexts))}].map((context) => assemble(context)));`,
    ],
    { stdio: 'inherit' },
  );
  const data = mkdtempSync(path.join(tmpdir(), 'stack-'));
  const ports = ['--api-port', '0', '--short-port', '0', '--console-port', '0'];
  const withUs = 'data:text/javascript,process.on("disconnect",()=>process.kill(process.pid))';
  // Tests wait until a change of hosts or a suspension acts.
  const brief = ['-c', 'localMemoryMs=500'];
  const flags = ['--import', withUs, 'ops/dls.js', 'start', '--memory', '--data', data, ...ports, ...brief];
  globalThis.sharedStack = spawn(process.execPath, flags, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // Files wait for it themselves.
  process.env.SHARED_STACK = data;
};
