import { linkStore } from '../core/links/link-store.ts';
import { openTable, tableClient } from '../core/table/sdk-table.ts';
import { logAs } from './log.ts';
import { expirer } from './streams/expire-links.ts';

logAs(process.env);
export const handler = expirer({
  links: linkStore(openTable(tableClient(), process.env.TABLE_NAME ?? '')),
});
