import { hostShareStore } from '../core/short-urls/association-store.ts';
import { standbyStore } from '../core/standby/home.ts';
import { openItems } from '../core/table/items.ts';
import { connectTo, openFunction } from './frame/open-function.ts';
import { openReads } from './frame/open-reads.ts';
import { busyJsonResponse } from './short-urls/busy.ts';
import { secretReader, standingIn } from './short-urls/standby.ts';
import { wellKnown } from './short-urls/well-known.ts';

const { settings, tableFor } = openFunction('standby-well-known', openItems);
const reads = openReads(tableFor);

export const handler = standingIn({
  standby: standbyStore(reads),
  readSecret: secretReader(() => connectTo('secretsmanager')),
  busy: busyJsonResponse,
  open: () => wellKnown({ hostShares: hostShareStore(reads, settings.shortDomain) }, settings),
});
