import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { assemble } from '../../bin/local/app.ts';
import { openTable, tableClient } from '../../core/table/sdk-table.ts';
import type { Table } from '../../core/table/table.ts';
import type { TableResource } from '../../local/assembly.ts';
import { startEngine } from '../../local/dynamodb/engine.ts';
import { ensureTables } from '../../local/dynamodb/tables.ts';

export const tableName = 'links-under-test';

export interface TestTable {
  readonly table: Table;
  readonly client: DynamoDBDocumentClient;
  readonly endpoint: string;
  readonly resource: TableResource;
  readonly streamArn: string;
  stop(): Promise<void>;
}

/** The service's own table, as its template states it, on a real engine (TEST_ENGINE names another one). */
export const startTable = async (): Promise<TestTable> => {
  const engine = await startEngine({ engine: engineUnderTest() });
  const resource = await tableResource();
  const streams = await ensureTables(engine.endpoint, [resource]);
  const access = { endpoint: engine.endpoint, region: 'us-east-1', credentials };
  const client = tableClient(access);
  return {
    table: openTable(client, tableName),
    client,
    endpoint: engine.endpoint,
    resource,
    streamArn: streams.get(resource.id) ?? '',
    stop: async () => {
      client.destroy();
      await engine.stop();
    },
  };
};

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

export const engineUnderTest = () => {
  const engine = process.env.TEST_ENGINE ?? 'dynoxide';
  if (engine === 'dynoxide' || engine === 'dynamodb-local') return engine;
  throw new Error(`TEST_ENGINE must be dynoxide or dynamodb-local, not ${engine}`);
};

/** From the synthesized template, which costs far less than to load the CDK in every test file. */
const tableResource = async (): Promise<TableResource> => {
  const assembly = await assemble();
  const file = readdirSync(assembly).find((name) => /^DynamicLinks-.*\.template\.json$/.test(name)) ?? '';
  const { Resources } = JSON.parse(readFileSync(path.join(assembly, file), 'utf8')) as {
    Resources: Record<string, { Type: string; Properties: Record<string, unknown> }>;
  };
  const table = Object.values(Resources).find(({ Type }) => Type === 'AWS::DynamoDB::Table');
  if (!table) throw new Error('The template has no table');
  return {
    id: 'Table',
    name: tableName,
    arn: `arn:aws:dynamodb:us-east-1:000000000000:table/${tableName}`,
    properties: { ...table.Properties, TableName: tableName },
    ttlAttribute: 'ttl',
  };
};
