import path from 'node:path';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { projectStore, type StoredProject } from '../../core/projects/project-store.ts';
import type { Table } from '../../core/table/table.ts';
import type { TableResource } from '../../local/assembly/assembly.ts';
import { type Engine, type EngineOptions, startEngine } from '../../local/engine/engine.ts';
import { ensureTables } from '../../local/tables/tables.ts';
import { documentClient } from '../../ops/deployment/sdk-client.ts';
import { watchWrites } from '../writes/product-writes.ts';
import { aProject } from './builders.ts';
import { openWholeTable, tableUnderTest } from './lean-table.ts';
import { ofEachTest, ofFile } from './of-file.ts';
import { tableProperties } from './table-properties.ts';

export const tableName = tableUnderTest;

export interface TestTable {
  readonly table: Table;
  readonly client: DynamoDBDocumentClient;
  readonly endpoint: string;
  readonly resource: TableResource;
  readonly streamArn: string;
  /** The engine's sweep. */
  readonly sweep: Engine['sweep'];
  stop(): Promise<void>;
}

/** The service's own table, as in its template, on a real engine (TEST_ENGINE names the module of another one). */
export const startTable = async (): Promise<TestTable> => {
  const { watch, mustBeKnown } = watchWrites();
  const { endpoint, sweep, stop } = await startEngine({ engine: await engineUnderTest(), watch });
  const streams = await ensureTables(endpoint, [resource]);
  const client = documentClient({ endpoint, region: 'us-east-1', credentials });
  return {
    table: openWholeTable(endpoint),
    client,
    endpoint,
    resource,
    streamArn: streams.get(resource.id) ?? '',
    sweep,
    stop: async () => {
      client.destroy();
      await stop();
      mustBeKnown();
    },
  };
};

/** The table of a file's tests. */
export const fileTable = (): TestTable => ofFile(startTable);

/** Creates a project. */
export const newProject = async (
  db: Pick<TestTable, 'table'>,
  fields?: Partial<StoredProject>,
): Promise<StoredProject> => {
  const project = aProject(fields);
  await projectStore(db.table).create(project);
  return project;
};

/** A project of each test's own. */
export const fileProject = (db: Pick<TestTable, 'table'>): StoredProject => ofEachTest(() => newProject(db));

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

const engineUnderTest = async (): Promise<EngineOptions['engine']> => {
  const { TEST_ENGINE } = process.env;
  if (TEST_ENGINE === undefined) return 'sqlite';
  const other: typeof import('../../dev/dynamodb-local.ts') = await import(path.resolve(TEST_ENGINE));
  return other.engineProgram();
};

const resource: TableResource = {
  id: 'Table',
  name: tableName,
  arn: `arn:aws:dynamodb:us-east-1:000000000000:table/${tableName}`,
  properties: { ...tableProperties, TableName: tableName },
  ttlAttribute: 'ttl',
};
