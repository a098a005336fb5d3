import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepareDemo } from '../dev/demo.ts';
import { startStack } from '../local/stack.ts';
import { type Deployment, openDeployment } from '../ops/deployment/deployment.ts';
import { localServices } from '../ops/deployment/service-access.ts';

/** The stack in its own process, on disk, so that the load generator doesn't share its event loop. */
export interface Serving {
  readonly api: string;
  readonly short: string;
  readonly apiKey: string;
  readonly deployment: Deployment;
  /** The tables' endpoint, and the name of the second region's table. */
  readonly tables: string;
  readonly copy: string;
  /** Stops the stack and deletes its data. */
  stop(): Promise<void>;
}

interface Served {
  readonly outputs: Readonly<Record<string, string>>;
  readonly endpoint: string;
}

interface ServeOptions {
  readonly enforceIam?: boolean;
  /** @default a new folder */
  readonly data?: string;
}

/** Serves a stack. Roles aren't enforced on table calls unless the benchmark asks for it. */
export const serveStack = async (
  assembly: string,
  { enforceIam = false, data = mkdtempSync(path.join(tmpdir(), 'bench-')) }: ServeOptions = {},
): Promise<Serving> => {
  const child = fork(import.meta.filename, [assembly, data, String(enforceIam)]);
  const [{ outputs, endpoint }] = (await once(child, 'message')) as [Served];
  const { ApiBaseUrl = '', ShortBaseUrl = '', CopyTableName = '' } = outputs;
  const deployment = openDeployment(outputs, localServices({ dynamodb: endpoint }));
  return {
    api: ApiBaseUrl,
    short: ShortBaseUrl,
    apiKey: await prepareDemo(deployment, undefined),
    deployment,
    tables: endpoint,
    copy: CopyTableName,
    stop: async () => {
      const ended = once(child, 'exit');
      child.send('stop');
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
};

if (process.argv[1] === import.meta.filename) {
  const [, , assembly = '', data = '', enforceIam] = process.argv;
  const stack = await startStack({
    assembly,
    data,
    apiPort: 0,
    distributionPort: 0,
    engine: 'sqlite',
    enforceIam: enforceIam === 'true',
    log: () => undefined,
  });
  process.on('message', async () => {
    await stack.stop();
    process.exit(0);
  });
  // If the benchmark crashes, the stack also ends.
  process.on('disconnect', () => stack.stop().then(() => process.exit(1)));
  process.send?.({ outputs: stack.outputs, endpoint: stack.endpoint } satisfies Served);
}
