import { sharedHold } from '../../engine/sqlite/held-records.ts';
import { openSqliteEngine, type SqliteOptions, streamFileOf } from '../../engine/sqlite/sqlite-engine.ts';
import { newFolder } from '../folder.ts';
import { aTable } from '../tables/table.ts';

/** The engine in this thread. Its calls throw unless they succeed. */
export function openEngine({
  folder = newFolder(),
  held = sharedHold(),
  ...options
}: Partial<SqliteOptions> = {}) {
  const engine = openSqliteEngine({ folder, held, ...options });
  const call = async <T>(operation: string, input: object): Promise<T> => {
    const { status, text } = await engine.call(operation, { ...input });
    if (status !== 200) throw new Error(text);
    return JSON.parse(text);
  };
  const createTable = (TableName: string) => {
    const { KeySchema, AttributeDefinitions } = aTable(TableName).properties;
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };
    return call('CreateTable', { TableName, KeySchema, AttributeDefinitions, StreamSpecification });
  };
  return { call, createTable, close: engine.close, streamFile: streamFileOf(folder, held) };
}

/** The update that adds one to an item's counter. */
export const addOne = {
  UpdateExpression: 'ADD n :one',
  ExpressionAttributeValues: { ':one': { N: '1' } },
};
