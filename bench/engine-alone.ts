import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';
import { linkKey } from '../core/table/keys.ts';
import { startEngine } from '../local/dynamodb/engine.ts';
import { engineClient } from '../local/dynamodb/engine-client.ts';
import { ensureTables } from '../local/dynamodb/tables.ts';
import type { EngineCalls, EngineRate } from './engine-calls.ts';
import type { Serving } from './serving.ts';

/** An engine with the service's table, without other callers or readers of the stream. */
export interface EngineAlone {
  run(load: Omit<EngineCalls, 'codes'>): Promise<EngineRate>;
  stop(): Promise<void>;
}

/** Starts with the links of a served stack. */
export const startEngineAlone = async (serving: Serving, codes: readonly string[]): Promise<EngineAlone> => {
  const data = mkdtempSync(path.join(tmpdir(), 'engine-alone-'));
  const engine = await startEngine({ engine: 'dynoxide', data });
  await ensureTables(engine.endpoint, serving.tables);
  await copyLinks(serving, engine.endpoint, codes);
  const calls = bundledCalls();
  return {
    run: async (load) => {
      const worker = new Worker(calls, {
        eval: true,
        workerData: { ...load, codes } satisfies EngineCalls,
        env: {
          ...process.env,
          AWS_REGION: 'us-east-1',
          AWS_ACCESS_KEY_ID: 'bench',
          AWS_SECRET_ACCESS_KEY: 'local',
          AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
          TABLE_NAME: serving.tableName,
        },
      });
      const [rate] = (await once(worker, 'message')) as [EngineRate];
      return rate;
    },
    stop: async () => {
      await engine.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
};

const copyLinks = async (
  { endpoint, tableName }: Serving,
  to: string,
  codes: readonly string[],
): Promise<void> => {
  const [source, target] = [engineClient(endpoint), engineClient(to)];
  for (const code of codes) {
    const { PK, SK } = linkKey('demo', code);
    const { Item } = await source.call<{ Item: object }>('GetItem', {
      TableName: tableName,
      Key: { PK: { S: PK }, SK: { S: SK } },
    });
    await target.call('PutItem', { TableName: tableName, Item });
  }
  source.close();
  target.close();
};

/** Bundled like the redirect, whose client it calls. */
const bundledCalls = (): string => {
  const [bundle] = buildSync({
    entryPoints: [path.join(import.meta.dirname, 'engine-calls.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
  }).outputFiles;
  return bundle?.text ?? '';
};
