import { linkStore } from '../core/links/link-store.ts';
import { connect, tableAccess } from '../core/table/connection.ts';
import { forStreams } from '../core/table/patience.ts';
import { openTable } from '../core/table/port.ts';
import { logAs } from './log.ts';
import { expirer } from './streams/expire-links.ts';

logAs(process.env);
export const handler = expirer({
  links: linkStore(
    openTable(connect(tableAccess(process.env)), {
      name: process.env.TABLE_NAME ?? '',
      patience: forStreams,
    }),
  ),
});
