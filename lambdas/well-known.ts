import { hostShareStore } from '../core/short-urls/association-store.ts';
import { forVisitors } from '../core/table/patience.ts';
import { openItems } from '../core/table/port.ts';
import { openFunction } from './open-function.ts';
import { wellKnown } from './short-urls/well-known.ts';

const { settings, tableFor } = openFunction({
  name: 'well-known',
  environment: process.env,
  port: openItems,
});
const table = tableFor({ ...forVisitors, deadlineMs: 5000 });

export const handler = wellKnown({ hostShares: hostShareStore(table, settings.shortDomain) }, settings);
