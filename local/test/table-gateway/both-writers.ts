import { DatabaseSync } from 'node:sqlite';
import type { TableResource } from '../../assembly/assembly.ts';
import { startEngine } from '../../engine/engine.ts';
import { type EngineClient, engineClient } from '../../engine/engine-client.ts';
import { startEngineProxy } from '../../engine/engine-proxy.ts';
import { sharedHold } from '../../engine/held-records.ts';
import { startTableGateway } from '../../table-gateway/gateway.ts';
import { ensureTables } from '../../tables/tables.ts';

/** The same table twice: all writes of one are the engine's, plain ones of the other are made beside it. */
export interface BothWriters {
  /** The same call of both. Resolves to its outcome, if that is the same; else it throws. */
  call(operation: string, input: object): Promise<'made' | 'not met' | 'refused'>;
  /** Throws unless both files have the same items, index entries and stream records of keys that begin so. */
  compareFiles(start: string): void;
  /** How many calls were made beside the engine. */
  readonly beside: number;
  stop(): Promise<void>;
}

export async function startBothWriters(table: TableResource): Promise<BothWriters> {
  const engine = await startWriter(table, false);
  const gateway = await startWriter(table, true);
  let calls = 0;
  return {
    call: async (operation, input) => {
      calls += 1;
      const text = JSON.stringify(input);
      const [theirs, ours] = await Promise.all(
        [engine, gateway].map(async ({ client }) => {
          const answer = await client.post(operation, text);
          return { status: answer.status, body: withoutBareKey(JSON.parse(answer.text), table) };
        }),
      );
      mustBeSame(`${operation} ${text}`, theirs, ours);
      return theirs?.status === 200 ? 'made' : isNotMet(theirs?.body) ? 'not met' : 'refused';
    },
    compareFiles: (start) => {
      const [theirs, ours] = [engine, gateway].map(({ file }) => contentOf(file, table, start));
      for (const name of Object.keys(theirs ?? {})) mustBeSame(name, theirs?.[name], ours?.[name]);
    },
    get beside() {
      return calls - gateway.reached;
    },
    stop: async () => {
      await Promise.all([engine.stop(), gateway.stop()]);
    },
  };
}

async function startWriter(table: TableResource, isBeside: boolean) {
  const engine = await startEngine({ engine: 'dynoxide' });
  const file = engine.file ?? '';
  await ensureTables(engine.endpoint, [table]);
  let reached = 0;
  const proxy = await startEngineProxy(engine.endpoint, (_, forward) => {
    reached += 1;
    return forward();
  });
  const gateway = await startTableGateway({
    endpoint: proxy.endpoint,
    tables: [table],
    principals: new Map(),
    enforce: false,
    sharesCommits: true,
    file,
    ...(isBeside && { writesBeside: { version: engine.version, held: sharedHold() } }),
  });
  const client: EngineClient = engineClient(gateway.endpoint);
  return {
    client,
    file,
    get reached() {
      return reached;
    },
    stop: async () => {
      client.close();
      for (const one of [gateway, proxy, engine]) await one.stop();
    },
  };
}

interface Body {
  readonly __type?: string;
  readonly Attributes?: object;
}

const isNotMet = (body: Body | undefined) =>
  /#(ConditionalCheckFailed|TransactionCanceled)Exception$/.test(body?.__type ?? '');

/** The engine returns an item's key where there was none; what had nothing but its key can't be told from it. */
function withoutBareKey({ Attributes, ...rest }: Body, { properties: { KeySchema } }: TableResource): Body {
  const keys = (KeySchema as { AttributeName: string }[]).map(({ AttributeName }) => AttributeName);
  const isBare = !Attributes || Object.keys(Attributes).every((name) => keys.includes(name));
  return isBare ? rest : { ...rest, Attributes };
}

function contentOf(
  file: string,
  { name, properties }: TableResource,
  start: string,
): Record<string, unknown> {
  const [{ IndexName = '' } = {}] = properties.GlobalSecondaryIndexes as { IndexName?: string }[];
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = (query: string) =>
    database
      .prepare(query)
      .all(start)
      .map((row) =>
        Object.fromEntries(Object.entries(row).map(([column, value]) => [column, parsed(value)])),
      );
  const content = {
    items: rows(`SELECT * FROM "${name}" WHERE pk LIKE 'S:' || ? || '%' ORDER BY pk, sk`),
    index: rows(
      `SELECT * FROM "${name}::gsi::${IndexName}" WHERE table_pk LIKE 'S:' || ? || '%' ORDER BY 1, 2, 3, 4`,
    ),
    records: rows(
      `SELECT event_name, keys_json, new_image, old_image, sequence_number, shard_id, user_identity
       FROM _stream_records WHERE keys_json LIKE '%"' || ? || '%' ORDER BY id`,
    ),
  };
  database.close();
  return content;
}

/** Engines write attributes in any order. */
const parsed = (value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('{') ? sorted(JSON.parse(value)) : value;

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, part]) => [`own ${name}`, sorted(part)]),
  );
};

function mustBeSame(what: string, theirs: unknown, ours: unknown): void {
  const [one, other] = [theirs, ours].map((value) => JSON.stringify(sorted(value), null, 1));
  if (one !== other) throw new Error(`${what}\nengine: ${one}\nbeside: ${other}`);
}
