import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineClient } from './engine-client.ts';
import type { EngineProgram } from './engine-program.ts';
import { type GuardedProcess, startGuarded } from './guarded-process.ts';
import { claim, removeOwner, writeOwner } from './owner-file.ts';

interface EngineProcess {
  readonly endpoint: string;
  readonly died: Promise<string>;
  stop(): Promise<void>;
}

/** Starts an engine's program on a folder. Messages name `stackFolder`. */
export async function startProgram(
  program: EngineProgram,
  folder: string,
  stackFolder: string,
): Promise<EngineProcess> {
  const ownerFile = join(folder, 'engine.json');
  await claim(ownerFile, program.name, stackFolder);
  const { child, endpoint } = await launch(program, folder);
  writeOwner(ownerFile, child.pid);
  let stopping = false;
  const died = new Promise<string>((resolve) => {
    child.exited.then((output) => {
      if (!stopping) resolve(`The DynamoDB engine (${program.name}) ended unexpectedly. ${output}`.trim());
    });
  });
  const stop = async () => {
    stopping = true;
    await child.stop();
    removeOwner(ownerFile);
  };
  return { endpoint, died, stop };
}

async function launch(program: EngineProgram, folder: string) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const endpoint = `http://127.0.0.1:${port}`;
    const child = await startGuarded(program.command(port, folder));
    const problem = await ready(child, endpoint);
    if (problem === undefined) return { child, endpoint };
    await child.stop();
    if (!isPortTaken(problem) || attempt === 5)
      throw new Error(`The DynamoDB engine (${program.name}) can't work in ${folder}: ${oneLine(problem)}`);
  }
}

/** Whether an engine ended because its port is taken. */
const isPortTaken = (problem: string): boolean =>
  /port \d+ is already in use|address.*in use|EADDRINUSE/i.test(problem);

/** Resolves to undefined once a request succeeds, or to the reason why none does. */
async function ready(child: GuardedProcess, endpoint: string): Promise<string | undefined> {
  const client = engineClient(endpoint);
  let ended: string | undefined;
  child.exited.then((output) => {
    ended = output || 'it ended at once';
  });
  let last = 'no answer';
  try {
    for (const start = Date.now(); Date.now() - start < 20_000; await sleep(10)) {
      if (ended !== undefined) return ended;
      try {
        await client.call('ListTables', {});
        return undefined;
      } catch (error) {
        last = error instanceof Error ? error.message : String(error);
      }
    }
    return last;
  } finally {
    client.close();
  }
}

const oneLine = (text: string) => text.trim().split('\n').slice(-3).join(' ').slice(0, 300);

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject()));
    });
  });
}
