const prodContext = require('./prod-context.cjs');

/** Synthesizes the stacks once, side by side, before test files would each do it. */
module.exports = () =>
  require('node:child_process').execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { assemble } = await import('./ops/local/app.ts');
       await Promise.all([assemble(), assemble(${JSON.stringify(prodContext)})]);`,
    ],
    { stdio: 'inherit' },
  );
