import { once } from 'node:events';
import { appendFileSync, fstatSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { errorText } from '../base/error-text.ts';
import { OperatorError } from '../base/operator-error.ts';
import { runAdmin } from './program.ts';
import type { Repository } from './repository.ts';

const args = process.argv.slice(2);
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
    // Node's stream to a file drops output without an error when the disk is full.
    appendFileSync(1, output);
  } catch (error) {
    fail(error as NodeJS.ErrnoException);
  }
};

/** The line that the user types; empty if the input ends, also by Ctrl-C. */
const ask = (question: string): Promise<string> =>
  new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    lines.once('close', () => {
      process.stderr.write('\n');
      resolve('');
    });
    lines.question(question, (line) => {
      lines.removeAllListeners('close').close();
      resolve(line);
    });
  });

const terminal = {
  print: (output: string) => void write(`${output}\n`),
  write,
  progress: console.error,
  redraw: process.stderr.isTTY ? (text: string) => void process.stderr.write(`\r\x1b[K${text}`) : undefined,
  columns: process.stdout.columns,
  input: async () => new TextDecoder('utf-8', { fatal: true }).decode(await buffer(process.stdin)),
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
  interruption: () => {
    const controller = new AbortController();
    // A second Ctrl-C has its usual effect.
    process.once('SIGINT', () => controller.abort());
    return controller.signal;
  },
};

/** Ends the process after pending output, even if handles are open. */
const end = (code: number) =>
  process.stderr.write('', () => process.stdout.write('', () => process.exit(code)));

/** Runs the program with this process's arguments and terminal. */
export const runProgram = (repository?: Repository): Promise<unknown> =>
  runAdmin(args, { ...terminal, repository }).then(
    (ok) => end(ok ? 0 : 1),
    (error: unknown) => {
      const message = errorText(error);
      console.error(args.includes('--json') ? JSON.stringify({ error: { message } }) : message);
      end(error instanceof OperatorError ? error.exitCode : 1);
    },
  );
