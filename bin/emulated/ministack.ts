import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const root = path.join(import.meta.dirname, '../..');

/** The version that the list of gaps describes. */
const version = '1.5.33';

export const howToInstall = `python3 -m venv .cache/ministack && .cache/ministack/bin/pip install ministack==${version}`;

/** The emulator's command: below this repository, or on the path. */
export const findMinistack = (): string | undefined =>
  [path.join(root, '.cache/ministack/bin/ministack'), 'ministack'].find(
    (command) => spawnSync(command, ['--help']).status === 0,
  );

export interface Ministack {
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
}

/** Starts the emulator; `log` receives its output. Lambda functions run with the first `node` of the path. */
export const startMinistack = async (command: string, log: 'inherit' | 'ignore'): Promise<Ministack> => {
  const port = await freePort();
  const running = spawn(command, {
    stdio: log,
    env: {
      ...process.env,
      GATEWAY_PORT: String(port),
      BIND_HOST: '127.0.0.1',
      MINISTACK_HOST: '127.0.0.1',
      PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
    },
  });
  const stop = async () => {
    if (running.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill();
    await ended;
  };
  const endpoint = `http://127.0.0.1:${port}`;
  if (await isUp(running, endpoint)) return { endpoint, stop };
  await stop();
  throw new Error('ministack does not start (VERBOSE=1 shows what it prints)');
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === 'object' ? address.port : 0));
    });
  });

const isUp = async (running: ChildProcess, endpoint: string): Promise<boolean> => {
  for (let attempt = 0; attempt < 600 && running.exitCode === null; attempt += 1) {
    const answer = await fetch(`${endpoint}/_ministack/health`).catch(() => undefined);
    if (answer?.ok) return true;
    await delay(100);
  }
  return false;
};
