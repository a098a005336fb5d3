const contexts = require('./contexts.cjs');

/** Synthesizes the stacks once, side by side, before test files would each do it. */
module.exports = () =>
  require('node:child_process').execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { assemble } = await import('./ops/local/app.ts');
       await Promise.all([{}, ...${JSON.stringify(Object.values(contexts))}].map((context) => assemble(context)));`,
    ],
    { stdio: 'inherit' },
  );
