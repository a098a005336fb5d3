import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

export interface AdminRequest {
  readonly id: number;
  readonly args: readonly string[];
  /** The command's standard input. */
  readonly input: string;
}

export interface AdminOutcome {
  readonly id: number;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A process that runs admin commands one after another, because most of a command's time is Node's start. The first
 * command starts it. A failing command rejects with its exit code and output.
 */
export const openAdminProcess = () => {
  let child: ChildProcess | undefined;
  let last = 0;
  const waiting = new Map<number, PromiseWithResolvers<string>>();

  const settle = ({ id, code, stdout, stderr }: AdminOutcome) => {
    const command = waiting.get(id);
    waiting.delete(id);
    if (code === 0) command?.resolve(stdout);
    else command?.reject(Object.assign(new Error(stderr), { code, stdout, stderr }));
  };

  const start = (): ChildProcess => {
    const started = fork(path.join(import.meta.dirname, 'admin-child.ts'), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [],
    });
    started.on('message', (outcome) => settle(outcome as AdminOutcome));
    started.on('exit', () => {
      for (const command of waiting.values()) command.reject(new Error('The admin process has ended'));
    });
    return started;
  };

  return {
    run: (args: readonly string[], input = ''): Promise<string> => {
      child ??= start();
      last += 1;
      const command = Promise.withResolvers<string>();
      waiting.set(last, command);
      child.send({ id: last, args, input } satisfies AdminRequest);
      return command.promise;
    },
    stop: () => {
      child?.disconnect();
      child = undefined;
    },
  };
};
