const { execFileSync, spawn } = require('node:child_process');
const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

/** Starts the stack that files share, once its assembly is there: others need that, too, and would each make it. */
module.exports = () => {
  const app = path.join(__dirname, '../../ops/start/app.ts');
  // What it prints is shown if it fails.
  execFileSync(process.execPath, ['-e', `import(${JSON.stringify(app)}).then((app) => app.assemble())`], {
    stdio: 'pipe',
  });
  const data = mkdtempSync(path.join(tmpdir(), 'stack-'));
  const ports = ['--api-port', '0', '--short-port', '0', '--console-port', '0'];
  const withUs = 'data:text/javascript,process.on("disconnect",()=>process.kill(process.pid))';
  // Tests wait until a change of hosts or a suspension acts.
  const brief = ['-c', 'localMemoryMs=500'];
  // At night on disk, where plain writes are made beside the engine.
  const memory = process.env.NIGHTLY === '1' ? [] : ['--memory'];
  const flags = ['--import', withUs, 'ops/dls.js', 'start', ...memory, '--data', data, ...ports, ...brief];
  globalThis.sharedStack = spawn(process.execPath, flags, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // Files wait for it themselves.
  process.env.SHARED_STACK = data;
};
