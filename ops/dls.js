#!/usr/bin/env node
// JavaScript without static imports: an older Node would say of them what nobody understands.
const oldest = 24;

if (Number(process.versions.node.split('.')[0]) < oldest) {
  console.error(
    `dls needs Node ${oldest} or newer, and this is ${process.versions.node}. ` +
      'npx takes the one that npm ci installed: npx dls COMMAND',
  );
  process.exit(1);
} else {
  import('node:module').then(({ enableCompileCache }) => {
    // Half of a command's time is compiling its modules. The cache is not in the system's temporary folder, where
    // somebody else could put code that runs here.
    enableCompileCache(`${import.meta.dirname}/../node_modules/.cache/compiled`);
    return import('./run-program.ts');
  });
}
