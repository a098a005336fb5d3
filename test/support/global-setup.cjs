/** Synthesizes the stack once, before test files that run side by side would each do it. */
module.exports = () =>
  require('node:child_process').execFileSync(
    process.execPath,
    ['--input-type=module', '-e', "import('./bin/local/app.ts').then(({ assemble }) => assemble())"],
    { stdio: 'inherit' },
  );
