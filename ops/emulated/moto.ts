import { execFileSync, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const root = path.join(import.meta.dirname, '../..');

export interface Moto {
  readonly server: string;
  readonly python: string;
}

/** Below this repository, or on the path. */
export const findMoto = (): Moto | undefined =>
  [
    {
      server: path.join(root, '.cache/moto/bin/moto_server'),
      python: path.join(root, '.cache/moto/bin/python'),
    },
    { server: 'moto_server', python: 'python3' },
  ].find(({ server }) => spawnSync(server, ['--help']).status === 0);

/** The resource types that this installation of moto makes from templates. */
export const knownTypes = ({ python }: Moto): ReadonlySet<string> => {
  const list = 'from moto.cloudformation.parsing import get_model_map; print("\\n".join(get_model_map()))';
  return new Set(execFileSync(python, ['-c', list], { encoding: 'utf8' }).trim().split('\n'));
};

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === 'object' ? address.port : 0));
    });
  });

export const untilUp = async (endpoint: string): Promise<void> => {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const answer = await fetch(`${endpoint}/moto-api/`).catch(() => undefined);
    if (answer?.ok) return;
    await delay(100);
  }
  throw new Error("moto's server does not answer");
};
