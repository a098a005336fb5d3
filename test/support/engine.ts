import path from 'node:path';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../core/table/table.ts';
import type { TableResource } from '../../local/assembly.ts';
import { type EngineOptions, startEngine } from '../../local/engine/engine.ts';
import { ensureTables } from '../../local/tables/tables.ts';
import { documentClient } from '../../ops/sdk-client.ts';
import { openWholeTable, tableUnderTest } from './lean-table.ts';
import { tableProperties } from './table-properties.ts';

export const tableName = tableUnderTest;

export interface TestTable {
  readonly table: Table;
  readonly client: DynamoDBDocumentClient;
  readonly endpoint: string;
  readonly resource: TableResource;
  readonly streamArn: string;
  stop(): Promise<void>;
}

/** The service's own table, as its template states it, on a real engine (TEST_ENGINE names the module of another one). */
export const startTable = async (): Promise<TestTable> => {
  const engine = await startEngine({ engine: await engineUnderTest() });
  const streams = await ensureTables(engine.endpoint, [resource]);
  const access = { endpoint: engine.endpoint, region: 'us-east-1', credentials };
  const client = documentClient(access);
  return {
    table: openWholeTable(engine.endpoint),
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

const engineUnderTest = async (): Promise<EngineOptions['engine']> => {
  const { TEST_ENGINE } = process.env;
  if (TEST_ENGINE === undefined) return 'dynoxide';
  const other: typeof import('../../ops/local/dynamodb-local.ts') = await import(path.resolve(TEST_ENGINE));
  return other.engineProgram();
};

const resource: TableResource = {
  id: 'Table',
  name: tableName,
  arn: `arn:aws:dynamodb:us-east-1:000000000000:table/${tableName}`,
  properties: { ...tableProperties, TableName: tableName },
  ttlAttribute: 'ttl',
};
