import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from './guarded-process.ts';

interface Owner {
  /** The stack's process id. */
  readonly pid: number;
  /** The engine's process id: the stack's own if the engine has no process. */
  readonly enginePid: number;
}

/**
 * Ensures that no other engine uses the data folder: ends an engine that a killed stack left over, and throws if a
 * stack runs.
 */
export async function claim(file: string, engineName: string, folder: string): Promise<void> {
  const owner = read(file);
  if (!owner || !isRunning(owner.enginePid, engineName)) return;
  if (owner.pid !== process.pid && send(owner.pid, 0)) throw inUse(file, folder);
  send(owner.enginePid, 'SIGTERM');
  for (let waited = 0; isRunning(owner.enginePid, engineName); waited += 50) {
    if (waited > 3000) send(owner.enginePid, 'SIGKILL');
    await sleep(50);
  }
}

/** The error of a data folder that another stack uses. */
export function inUse(file: string, folder: string, cause?: unknown): Error {
  const owner = read(file);
  return new Error(
    `Another local stack${owner ? ` (process ${owner.pid})` : ''} is using the data folder ${folder}: stop it, or choose another with --data DIR`,
    { cause },
  );
}

export function writeOwner(file: string, enginePid: number): void {
  writeFileSync(file, JSON.stringify({ pid: process.pid, enginePid }));
}

export function removeOwner(file: string): void {
  rmSync(file, { force: true });
}

function read(file: string): Owner | undefined {
  try {
    const { pid, enginePid } = JSON.parse(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) && Number.isInteger(enginePid) ? { pid, enginePid } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the process runs the engine: process ids are reused. */
function isRunning(pid: number, engineName: string): boolean {
  return send(pid, 0) && commandLine(pid).includes(engineName);
}

/** A process's command line; empty if it has ended. */
function commandLine(pid: number): string {
  try {
    // Small Linux images have no `ps`, other systems no /proc.
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
