import { shortLinkStore } from '../core/short-urls/short-link-store.ts';
import { openItems } from '../core/table/items.ts';
import { forClicks, once } from '../core/table/retry-policy.ts';
import { clickQueue } from '../core/visits/click-queue.ts';
import { clickStore } from '../core/visits/click-store.ts';
import { excludedStore } from '../core/visits/excluded-store.ts';
import { connectTo, openFunction } from './frame/open-function.ts';
import { openReads } from './frame/open-reads.ts';
import { redirect } from './short-urls/redirect.ts';

const { settings, tableFor } = openFunction('redirect', openItems);

export const handler = redirect({
  ...settings,
  stores: {
    shortLinks: shortLinkStore(openReads(tableFor), settings.shortDomain),
    clicks: clickStore(tableFor(forClicks)),
    excluded: excludedStore(tableFor(once)),
  },
  enqueueClick: clickQueue(() => connectTo('sqs'), settings.clickQueueUrl),
});
