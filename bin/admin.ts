import { once } from 'node:events';
import { appendFileSync, fstatSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { runAdmin } from '../ops/admin/program.ts';

const isFile = fstatSync(1).isFile();

const fail = (error: NodeJS.ErrnoException) => {
  // A reader that stops early, such as `head`, is not a failure.
  if (error.code === 'EPIPE') process.exit(0);
  console.error(`Standard output can't be written: ${error.message}`);
  process.exit(1);
};
process.stdout.on('error', fail);

const write = async (output: string) => {
  if (!isFile) {
    if (!process.stdout.write(output)) await once(process.stdout, 'drain');
    return;
  }
  try {
    // Node's stream to a file drops without an error what doesn't fit on the disk any more.
    appendFileSync(1, output);
  } catch (error) {
    fail(error as NodeJS.ErrnoException);
  }
};

const terminal = {
  print: (text: string) => void write(`${text}\n`),
  write,
  progress: console.error,
  columns: process.stdout.columns,
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
