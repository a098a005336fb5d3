import { openStores } from '../../core/stores.ts';
import type { Deployment } from '../../ops/target.ts';
import { startTable, type TestTable, tableName } from './engine.ts';

export interface TestTarget extends Deployment {
  readonly db: TestTable;
}

/** A deployment that is only a table, for the operators' library. */
export const startTarget = async (): Promise<TestTarget> => {
  const db = await startTable();
  return {
    db,
    stores: openStores(db.table),
    shortBase: 'https://go.test',
    apiBase: 'https://api.test',
    tableName,
    access: {
      endpoint: db.endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    },
  };
};
