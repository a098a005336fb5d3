import { linkStore } from '../core/links/link-store.ts';
import { openTable, tableClient } from '../core/table/sdk-table.ts';
import { expirer } from './streams/expire-links.ts';

export const handler = expirer({
  links: linkStore(openTable(tableClient(), process.env.TABLE_NAME ?? '')),
});
