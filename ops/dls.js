#!/usr/bin/env node
// JavaScript without static imports, for which an older Node would print an obscure error.
const run = async () => {
  if (process.platform === 'win32') return refuse('dls runs on Linux and macOS; on Windows, run it in WSL 2');
  const { existsSync } = await import('node:fs');
  const isHere = (file) => existsSync(new URL(file, import.meta.url));
  // The package dynamic-link-ops contains only what `npm pack` built.
  if (!isHere('command-line') && isHere('dist')) {
    // The SDK in it doesn't change, so its advice for later versions means nothing.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
    return (await import('./dist/ops/program/run-program.js')).runProgram();
  }
  // Without node_modules, npx would look for dls in npm's registry.
  if (!isHere('../node_modules')) return refuse("The packages are missing: run 'npm ci' first");
  const oldest = 24;
  if (Number(process.versions.node.split('.')[0]) < oldest)
    return refuse(
      `dls needs Node ${oldest} or newer, and this is ${process.versions.node}. ` +
        'npx takes the one that npm ci installed: npx dls COMMAND',
    );
  const { enableCompileCache } = await import('node:module');
  // Half of a command's time is compiling its modules. The cache is not in the system's temporary folder, where
  // somebody else could put code that runs here.
  enableCompileCache(`${import.meta.dirname}/../node_modules/.cache/compiled`);
  const { runProgram } = await import('./command-line/run-program.ts');
  // What only the repository has, which may be missing around this folder.
  const around = '../dev/repository.ts';
  return runProgram(isHere(around) ? (await import(around)).repository : undefined);
};

const refuse = (why) => {
  console.error(why);
  process.exitCode = 1;
};

run();
