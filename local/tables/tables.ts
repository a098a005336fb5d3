import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { TableResource } from '../assembly/assembly.ts';
import { isRecord } from '../base/json-values.ts';
import { type EngineClient, engineClient } from '../engine/engine-client.ts';

type Schema = Readonly<Record<string, unknown>>;

interface TableDescription extends Schema {
  readonly TableStatus: string;
  readonly LatestStreamArn?: string;
}

/**
 * Creates missing tables and resolves to the engine's stream ARNs by table id. Throws if a table exists with other
 * keys, indexes or stream: nothing is migrated.
 */
export async function ensureTables(
  endpoint: string,
  tables: readonly TableResource[],
  caller?: string,
): Promise<ReadonlyMap<string, string>> {
  const client = engineClient(endpoint, { caller });
  try {
    const streams = new Map<string, string>();
    for (const table of tables) {
      const { LatestStreamArn } = await ensureTable(client, table);
      if (LatestStreamArn) streams.set(table.id, LatestStreamArn);
    }
    return streams;
  } finally {
    client.close();
  }
}

async function ensureTable(client: EngineClient, table: TableResource): Promise<TableDescription> {
  const wanted = createInput(table);
  const existing = await describe(client, table.name);
  if (!existing) await client.call('CreateTable', wanted);
  else if (!isDeepStrictEqual(schema(existing), schema(wanted))) {
    throw new Error(
      `Table ${table.name} was created with other keys, indexes or stream than the template has: use another --data folder`,
    );
  }
  const active = await untilActive(client, table.name);
  if (table.ttlAttribute) await ensureTtl(client, table.name, table.ttlAttribute);
  return active;
}

const shared = [
  'KeySchema',
  'AttributeDefinitions',
  'BillingMode',
  'ProvisionedThroughput',
  'GlobalSecondaryIndexes',
  'LocalSecondaryIndexes',
];

function createInput({ name, properties }: TableResource): Schema {
  const input: Record<string, unknown> = { TableName: name };
  for (const property of shared) if (properties[property]) input[property] = properties[property];
  const stream = properties.StreamSpecification;
  if (isRecord(stream)) {
    input.StreamSpecification = { StreamEnabled: true, StreamViewType: stream.StreamViewType };
  }
  return input;
}

/** The properties that must equal those of an existing table, sorted and without defaults. */
function schema(table: Schema) {
  const stream = isRecord(table.StreamSpecification) ? table.StreamSpecification : {};
  return {
    keys: keyTypes(table.KeySchema),
    attributes: list(table.AttributeDefinitions)
      .map((attribute) => `${attribute.AttributeName} ${attribute.AttributeType}`)
      .sort(),
    global: indexes(table.GlobalSecondaryIndexes),
    local: indexes(table.LocalSecondaryIndexes),
    stream: stream.StreamEnabled ? stream.StreamViewType : undefined,
  };
}

function indexes(value: unknown): readonly object[] {
  return list(value)
    .map((index) => {
      const projection = isRecord(index.Projection) ? index.Projection : {};
      return {
        name: String(index.IndexName),
        keys: keyTypes(index.KeySchema),
        projection: projection.ProjectionType,
        attributes: Array.isArray(projection.NonKeyAttributes) ? projection.NonKeyAttributes.toSorted() : [],
      };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

const keyTypes = (value: unknown) => list(value).map((key) => `${key.KeyType} ${key.AttributeName}`);

const list = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isRecord) : []);

async function describe(client: EngineClient, name: string): Promise<TableDescription | undefined> {
  try {
    return (await client.call<{ Table: TableDescription }>('DescribeTable', { TableName: name })).Table;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

async function untilActive(client: EngineClient, name: string): Promise<TableDescription> {
  for (;;) {
    const table = await describe(client, name);
    if (table?.TableStatus === 'ACTIVE') return table;
    await sleep(10);
  }
}

async function ensureTtl(client: EngineClient, name: string, attribute: string): Promise<void> {
  const { TimeToLiveDescription: now } = await client.call<{ TimeToLiveDescription?: Schema }>(
    'DescribeTimeToLive',
    { TableName: name },
  );
  if (now?.AttributeName === attribute && now.TimeToLiveStatus === 'ENABLED') return;
  await client.call('UpdateTimeToLive', {
    TableName: name,
    TimeToLiveSpecification: { AttributeName: attribute, Enabled: true },
  });
}
