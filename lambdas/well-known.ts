import { hostShareStore } from '../core/short-urls/association-store.ts';
import { openItems } from '../core/table/port.ts';
import { openFunction } from './open-function.ts';
import { openReads } from './open-reads.ts';
import { wellKnown } from './short-urls/well-known.ts';

const { settings, tableFor } = openFunction({
  name: 'well-known',
  environment: process.env,
  port: openItems,
});

export const handler = wellKnown(
  { hostShares: hostShareStore(openReads(tableFor, process.env), settings.shortDomain) },
  settings,
);
