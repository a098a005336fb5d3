import { setTimeout as sleep } from 'node:timers/promises';
import type { TableResource } from '../assembly/assembly.ts';
import { type EngineClient, engineClient } from '../engine/engine-client.ts';
import { keyNames } from './key-names.ts';
import { openServiceDeletes, type Removal, type ServiceDeletes } from './service-deletes.ts';

export interface TtlSweeperOptions {
  readonly endpoint: string;
  /** Access key id of the calls, for an endpoint that knows its operator by one. */
  readonly operatorKey?: string;
  readonly tables: readonly TableResource[];
  /** Shared with the event source mappings, which mark these removals. @default kept in memory */
  readonly serviceDeletes?: ServiceDeletes;
  /** Least time between two sweeps. @default 2000 */
  readonly intervalMs?: number;
  /** How long an item outlives its time; on AWS it may be days. @default 0 */
  readonly delayMs?: number;
  readonly now?: () => number;
}

export interface TtlSweeper {
  /** Resolves to the number of items removed. */
  sweepOnce(): Promise<number>;
  stop(): Promise<void>;
}

/** Items whose time is longer ago are left alone, as DynamoDB leaves them. */
const fiveYearsSeconds = 5 * 365 * 24 * 60 * 60;

type Item = Readonly<Record<string, { readonly N?: string }>>;

/** A sweep may take this part of the time, so that a large table is swept rarely and gently. */
const share = 0.02;
/** An engine that handles one call at a time keeps everybody waiting for a page. */
const pageItems = 200;

/** Deletes items whose time to live has passed, as DynamoDB does in the background. */
export function startTtlSweeper(options: TtlSweeperOptions): TtlSweeper {
  const { tables, intervalMs = 2000, now = Date.now, delayMs = 0 } = options;
  const deletes = options.serviceDeletes ?? openServiceDeletes();
  const client = engineClient(options.endpoint, { caller: options.operatorKey });
  const stopping = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal, ref: false });

  const sweepOnce = async (rest: (ms: number) => Promise<unknown> = async () => undefined) => {
    let removed = 0;
    for (const table of tables) {
      if (!table.ttlAttribute) continue;
      const before = Math.floor((now() - delayMs) / 1000);
      for await (const removals of expired(client, { table, attribute: table.ttlAttribute, before }, rest)) {
        removed += await deletes.make(removals, (removal) => remove(client, table, removal));
      }
    }
    return removed;
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      await pause(intervalMs);
      // The stack notices an engine that restarts or ends.
      await sweepOnce(pause).catch(() => undefined);
    }
  };
  const running = run().catch(() => undefined);
  const stop = async () => {
    stopping.abort();
    await running;
    client.close();
  };
  return { sweepOnce: () => sweepOnce(), stop };
}

/** What a sweep looks for: items whose attribute holds a time of the past, in seconds. */
interface Due {
  readonly table: TableResource;
  readonly attribute: string;
  readonly before: number;
}

async function* expired(
  client: EngineClient,
  { table, attribute, before }: Due,
  rest: (ms: number) => Promise<unknown>,
): AsyncGenerator<Removal[]> {
  const keys = keyNames(table);
  const names = [...keys, attribute];
  let start: object | undefined;
  do {
    const begun = performance.now();
    const page: { Items: Item[]; LastEvaluatedKey?: object } = await client.call('Scan', {
      TableName: table.name,
      Limit: pageItems,
      FilterExpression: '#ttl BETWEEN :oldest AND :before',
      ProjectionExpression: names.map((_, index) => (index < keys.length ? `#k${index}` : '#ttl')).join(', '),
      ExpressionAttributeNames: {
        ...Object.fromEntries(keys.map((name, index) => [`#k${index}`, name])),
        '#ttl': attribute,
      },
      ExpressionAttributeValues: {
        ':oldest': { N: String(before - fiveYearsSeconds) },
        ':before': { N: String(before - 1) },
      },
      ...(start && { ExclusiveStartKey: start }),
    });
    const took = performance.now() - begun;
    for (let at = 0; at < page.Items.length; at += 50) {
      yield page.Items.slice(at, at + 50).map((item) => removalOf(table, keys, attribute, item));
    }
    start = page.LastEvaluatedKey;
    await rest(took / share);
  } while (start);
}

function removalOf(table: TableResource, keys: readonly string[], attribute: string, item: Item): Removal {
  return {
    table: table.name,
    keys: Object.fromEntries(keys.map((name) => [name, item[name]])),
    ttl: item[attribute]?.N ?? '',
  };
}

/** False if the item's time has changed or the item is gone: then it stays as it is. */
async function remove(client: EngineClient, table: TableResource, { keys, ttl }: Removal): Promise<boolean> {
  try {
    await client.call('DeleteItem', {
      TableName: table.name,
      Key: keys,
      ConditionExpression: '#ttl = :seen',
      ExpressionAttributeNames: { '#ttl': table.ttlAttribute },
      ExpressionAttributeValues: { ':seen': { N: ttl } },
    });
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}
