const { execFileSync, spawn } = require('node:child_process');
const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

/** Makes the shared assembly, which other suites also need, and then starts the stack that files share. */
module.exports = () => {
  const app = path.join(__dirname, '../../ops/start/app.ts');
  // Its output is shown if it fails.
  execFileSync(process.execPath, ['-e', `import(${JSON.stringify(app)}).then((app) => app.assemble())`], {
    stdio: 'pipe',
  });
  const data = mkdtempSync(path.join(tmpdir(), 'stack-'));
  const ports = ['--api-port', '0', '--short-port', '0', '--console-port', '0'];
  const withUs = 'data:text/javascript,process.on("disconnect",()=>process.kill(process.pid))';
  // Short, because tests wait until a change of hosts or a suspension takes effect.
  const brief = ['-c', 'localMemoryMs=500'];
  // On disk at night, where tests write to files next to the engine's.
  const memory = process.env.NIGHTLY === '1' ? [] : ['--memory'];
  const flags = ['--import', withUs, 'ops/dls.js', 'start', ...memory, '--data', data, ...ports, ...brief];
  globalThis.sharedStack = spawn(process.execPath, flags, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // Files wait for it themselves.
  process.env.SHARED_STACK = data;
};
