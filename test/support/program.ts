import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from './source-files.ts';

/** Variables of every program that tests start; the cache saves half of a start. */
export const programVariables: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
};

/** The result of a program's run. */
export interface Run {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the client's program from its sources, without a terminal. */
export const runProgram = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string = root,
): Promise<Run> =>
  new Promise((resolve, reject) => {
    const program = path.join(root, 'client/program/dynamic-links.ts');
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: { ...programVariables, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const texts = { out: '', err: '' };
    child.stdout.on('data', (chunk) => (texts.out += chunk));
    child.stderr.on('data', (chunk) => (texts.err += chunk));
    child.on('error', reject).on('close', (status) => resolve({ status, ...texts }));
  });
