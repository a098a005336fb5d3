import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A child process that ends when this one does, even by SIGKILL. */
export interface GuardedProcess {
  readonly pid: number;
  /** Resolves to the last lines that the child wrote. */
  readonly exited: Promise<string>;
  /** Sends SIGTERM, and SIGKILL after the grace period. */
  stop(graceMs?: number): Promise<void>;
}

// A shell next to the child reads from a pipe that only this process holds open. However this process ends,
// the pipe closes and the shell ends the child.
const guard = [
  'exec 3<&0',
  '"$@" 3<&- & child=$!',
  'echo "$child"',
  '{ read -r _ <&3; kill -9 "$child"; } >/dev/null 2>&1 &',
  'exec 3<&-',
  'wait "$child"',
].join('\n');

/** Starts in its own process group, so that Ctrl-C in a terminal reaches only this process. */
export async function startGuarded(command: readonly string[]): Promise<GuardedProcess> {
  const shell = spawn('sh', ['-c', guard, 'sh', ...command], { detached: true, stdio: 'pipe' });
  const tail: string[] = [];
  const keep = (line: string) => {
    tail.push(line);
    if (tail.length > 20) tail.shift();
  };
  const lines = createInterface({ input: shell.stdout });
  createInterface({ input: shell.stderr }).on('line', keep);
  shell.once('exit', () => shell.stdin.end());
  // Output may arrive after the exit, so `close` is awaited.
  const exited = once(shell, 'close').then(() => tail.join('\n'));
  shell.stdin.on('error', () => undefined);
  const [first] = await Promise.race([once(lines, 'line'), exited.then((output) => [output])]);
  lines.on('line', keep);
  const pid = Number(first);
  return { pid, exited, stop: (graceMs = 1500) => stop(pid, exited, graceMs) };
}

async function stop(pid: number, exited: Promise<string>, graceMs: number): Promise<void> {
  send(pid, 'SIGTERM');
  const impatient = setTimeout(() => send(pid, 'SIGKILL'), graceMs);
  await exited;
  clearTimeout(impatient);
}

/** Sends a signal; false if there is no such process. */
export function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
