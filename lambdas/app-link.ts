import { shortLinkStore } from '../core/short-urls/short-link-store.ts';
import { openItems } from '../core/table/items.ts';
import { forClicks } from '../core/table/retry-policy.ts';
import { clickQueue } from '../core/visits/click-queue.ts';
import { clickStore } from '../core/visits/click-store.ts';
import { connectTo, openFunction } from './frame/open-function.ts';
import { openReads } from './frame/open-reads.ts';
import { appLink } from './short-urls/app-link.ts';

const { settings, tableFor } = openFunction('app-link', openItems);

export const handler = appLink({
  ...settings,
  stores: {
    shortLinks: shortLinkStore(openReads(tableFor), settings.shortDomain),
    clicks: clickStore(tableFor(forClicks)),
  },
  enqueueClick: clickQueue(() => connectTo('sqs'), settings.clickQueueUrl),
});
