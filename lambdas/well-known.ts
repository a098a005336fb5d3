import { hostShareStore } from '../core/short-urls/association-store.ts';
import { openItems } from '../core/table/items.ts';
import { openFunction } from './frame/open-function.ts';
import { openReads } from './frame/open-reads.ts';
import { wellKnown } from './short-urls/well-known.ts';

const { settings, tableFor } = openFunction('well-known', openItems);

export const handler = wellKnown(
  { hostShares: hostShareStore(openReads(tableFor), settings.shortDomain) },
  settings,
);
