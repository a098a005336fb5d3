import { existsSync } from 'node:fs';
import path from 'node:path';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { OperatorError } from '../base/operator-error.ts';
import { isOlder } from './older-figures.ts';

/** Totals of a project, which 1.1.0 brings into its form last. */
const totals = `json_extract(item_json, '$.SK.S') = 'STATS' AND json_extract(item_json, '$.PK.S') LIKE 'SERIES#%'`;

/**
 * Throws OperatorError for a data folder of 1.0.0 that no later version has started on: converted like one of 1.2, it
 * would keep figures that this version misreads.
 */
export const refuseOlderFolder = (data: string): void => {
  const file = path.join(data, 'dynamodb', 'dynamodb.sqlite');
  if (!existsSync(file)) return;
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = (sql: string) => database.prepare(sql).all();
  try {
    const tables = rows('SELECT table_name FROM _tables').map(({ table_name: name }) => String(name));
    const items = tables.flatMap((name) =>
      rows(`SELECT item_json FROM "${name.replaceAll('"', '""')}" WHERE ${totals}`),
    );
    if (items.some(({ item_json: item }) => isOlder(unmarshall(JSON.parse(String(item))))))
      throw new OperatorError(
        `The data folder ${data} is of version 1.0.0: start 1.2 on it once, then this version`,
      );
  } finally {
    database.close();
  }
};
