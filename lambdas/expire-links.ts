import { linkStore } from '../core/links/link-store.ts';
import { patientClient, tableAccess } from '../core/table/lean-client.ts';
import { openTable } from '../core/table/wire-table.ts';
import { logAs } from './log.ts';
import { expirer } from './streams/expire-links.ts';

logAs(process.env);
export const handler = expirer({
  links: linkStore(
    openTable(patientClient(tableAccess(process.env), 8000), { name: process.env.TABLE_NAME ?? '' }),
  ),
});
