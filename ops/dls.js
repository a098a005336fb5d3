#!/usr/bin/env node
// JavaScript without static imports, for which an older Node would print an obscure error.
const oldest = 24;
const isOlder = Number(process.versions.node.split('.')[0]) < oldest;

const run = async () => {
  if (process.platform === 'win32') return refuse('dls runs on Linux and macOS; on Windows, run it in WSL 2');
  const { existsSync } = await import('node:fs');
  // Without node_modules, npx would look for dls in npm's registry.
  if (!existsSync(new URL('../node_modules', import.meta.url)))
    return refuse("The packages are missing: run 'npm ci' first");
  if (isOlder)
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
  const around = new URL('../dev/repository.ts', import.meta.url);
  return runProgram(existsSync(around) ? (await import(around.href)).repository : undefined);
};

const refuse = (why) => {
  console.error(why);
  process.exitCode = 1;
};

run();
