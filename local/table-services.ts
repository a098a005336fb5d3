import { join } from 'node:path';
import type { Assembly } from './assembly.ts';
import { type EngineOptions, startEngine } from './dynamodb/engine.ts';
import { startTableGateway, type TableGatewayOptions } from './dynamodb/gateway.ts';
import { openServiceDeletes, type ServiceDeletes } from './dynamodb/service-deletes.ts';
import { ensureTables } from './dynamodb/tables.ts';
import { startTtlSweeper } from './dynamodb/ttl.ts';
import type { Principal } from './iam/policy.ts';

/** Ends one part of a stack. */
export type Stop = () => Promise<unknown>;

/** The data side of a stack: engine, tables, TTL and the check of every call against its caller's role. */
export interface Tables {
  /** For functions, and for operators, who may do anything. */
  readonly endpoint: string;
  /** For reading the stream. All else goes through the gateway, which takes no calls of web pages. */
  readonly engineEndpoint: string;
  readonly streamArns: ReadonlyMap<string, string>;
  readonly serviceDeletes: ServiceDeletes;
  readonly died: Promise<string>;
}

export interface TableOptions {
  readonly engine: EngineOptions['engine'];
  readonly data?: string | undefined;
  /** @default true */
  readonly enforceIam?: boolean;
  readonly observe?: TableGatewayOptions['observe'];
}

/** Pushes what ends each part to `started`, as soon as it runs. */
export async function startTables(
  { functions, tables }: Assembly,
  { engine: kind, data, enforceIam = true, observe }: TableOptions,
  started: Stop[],
): Promise<Tables> {
  const engine = await startEngine({ engine: kind, ...(data && { data: join(data, 'dynamodb') }) });
  started.push(engine.stop);
  const streamArns = await ensureTables(engine.endpoint, tables);
  const principals = principalsOf(functions);
  const gateway = await startTableGateway({
    endpoint: engine.endpoint,
    principals,
    tables,
    enforce: enforceIam,
    sharesCommits: kind === 'dynoxide',
    ...(enforceIam && observe && { observe }),
  });
  started.push(gateway.stop);
  const serviceDeletes = openServiceDeletes(data && join(data, 'service-deletes'));
  const sweeper = startTtlSweeper({ endpoint: gateway.endpoint, tables, serviceDeletes });
  started.push(sweeper.stop);
  return {
    endpoint: gateway.endpoint,
    engineEndpoint: engine.endpoint,
    streamArns,
    serviceDeletes,
    died: engine.died,
  };
}

/** Functions with their rights, by access key id. */
export function principalsOf(functions: Assembly['functions']): ReadonlyMap<string, Principal> {
  return new Map(functions.map(({ id, statements }) => [accessKeyOf(id), { name: id, statements }]));
}

/** Logical ids hold letters and digits only, as access key ids do. */
export function accessKeyOf(functionId: string): string {
  return functionId;
}
