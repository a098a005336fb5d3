import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../core/table/table.ts';
import type { TableResource } from '../../local/assembly.ts';
import { startEngine } from '../../local/dynamodb/engine.ts';
import { ensureTables } from '../../local/dynamodb/tables.ts';
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

/** The service's own table, as its template states it, on a real engine (TEST_ENGINE names another one). */
export const startTable = async (): Promise<TestTable> => {
  const engine = await startEngine({ engine: engineUnderTest() });
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

export const engineUnderTest = () => {
  const engine = process.env.TEST_ENGINE ?? 'dynoxide';
  if (engine === 'dynoxide' || engine === 'dynamodb-local') return engine;
  throw new Error(`TEST_ENGINE must be dynoxide or dynamodb-local, not ${engine}`);
};

const resource: TableResource = {
  id: 'Table',
  name: tableName,
  arn: `arn:aws:dynamodb:us-east-1:000000000000:table/${tableName}`,
  properties: { ...tableProperties, TableName: tableName },
  ttlAttribute: 'ttl',
};
