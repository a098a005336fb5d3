import { shortLinkStore } from '../core/short-urls/short-link-store.ts';
import { standbyStore } from '../core/standby/home.ts';
import { openItems } from '../core/table/items.ts';
import { clickQueue } from '../core/visits/click-queue.ts';
import { connectTo, openFunction } from './frame/open-function.ts';
import { openReads } from './frame/open-reads.ts';
import { secretReader } from './short-urls/standby.ts';
import { standbyRedirect } from './short-urls/standby-redirect.ts';

const { settings, tableFor } = openFunction('standby-redirect', openItems);
const reads = openReads(tableFor);

export const handler = standbyRedirect({
  ...settings,
  stores: { shortLinks: shortLinkStore(reads, settings.shortDomain), standby: standbyStore(reads) },
  enqueueClick: clickQueue(() => connectTo('sqs'), settings.clickQueueUrl),
  readSecret: secretReader(() => connectTo('secretsmanager')),
});
