import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { runAdmin } from '../ops/admin/program.ts';

// A reader that stops early, such as `head`, is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const terminal = {
  print: console.log,
  progress: console.error,
  columns: process.stdout.columns,
  write: async (output: string) => {
    if (!process.stdout.write(output)) await once(process.stdout, 'drain');
  },
  input: () => text(process.stdin),
};

runAdmin(process.argv.slice(2), terminal).then(
  (ok) => {
    process.exitCode = ok ? 0 : 1;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  },
);
