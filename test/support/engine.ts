import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { openTable, type Table, tableClient } from '../../core/store/table.ts';
import { ServiceTable } from '../../lib/table.ts';
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

/** The service's own table, as its construct states it, on a real engine (TEST_ENGINE names another one). */
export const startTable = async (): Promise<TestTable> => {
  const engine = await startEngine({ engine: engineUnderTest() });
  const resource = tableResource();
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

const tableResource = (): TableResource => {
  const stack = new Stack(new App(), 'Test');
  new ServiceTable(stack, 'Data', { retain: false });
  const [properties] = Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::Table')).map(
    (resource) => resource.Properties as Record<string, unknown>,
  );
  if (!properties) throw new Error('The construct has no table');
  return {
    id: 'Table',
    name: tableName,
    arn: `arn:aws:dynamodb:us-east-1:000000000000:table/${tableName}`,
    properties: { ...properties, TableName: tableName },
    ttlAttribute: 'ttl',
  };
};
