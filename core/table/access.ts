/**
 * The table actions behind each store operation. A contract names operations, its Lambda's role is granted
 * exactly these actions. Transactions need the actions of their parts; there is no action of their own.
 */
export const access = {
  'apiKeys.get': ['GetItem'],
  'apps.create': ['PutItem'],
  'apps.delete': ['DeleteItem'],
  'apps.find': ['GetItem'],
  'apps.get': ['GetItem'],
  'apps.list': ['Query'],
  'apps.requireRoom': ['Query'],
  'apps.route': ['GetItem'],
  'apps.update': ['UpdateItem'],
  'associations.serve': ['GetItem', 'Query'],
  'clicks.add': ['UpdateItem'],
  'domains.find': ['GetItem'],
  'figures.add': ['UpdateItem'],
  'links.code': ['GetItem'],
  'links.create': ['PutItem', 'UpdateItem'],
  'links.delete': ['GetItem', 'UpdateItem', 'DeleteItem'],
  'links.expire': ['UpdateItem'],
  'links.get': ['Query'],
  'links.page': ['BatchGetItem', 'Query'],
  'links.route': ['GetItem'],
  'links.setStatus': ['UpdateItem'],
  'links.update': ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
  'projects.get': ['GetItem'],
  'rates.peek': ['GetItem'],
  'rates.take': ['UpdateItem'],
} as const satisfies Record<string, readonly TableAction[]>;

export type TableAction =
  | 'BatchGetItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';

export type Operation = keyof typeof access;

export const actionsFor = (operations: readonly Operation[]): TableAction[] =>
  [...new Set(operations.flatMap((operation) => access[operation]))].sort();
