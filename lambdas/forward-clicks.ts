import { standbyStore } from '../core/standby/home.ts';
import { openItems } from '../core/table/items.ts';
import { batchSender } from '../core/table/queue-batches.ts';
import { forClicks } from '../core/table/retry-policy.ts';
import { connectTo, openFunction } from './frame/open-function.ts';
import { openReads } from './frame/open-reads.ts';
import { clickForwarder } from './queues/forward-clicks.ts';

const { settings, tableFor } = openFunction('forward-clicks', openItems);

const send = batchSender(connectTo('sqs', settings.homeRegion), {
  policy: { ...forClicks, deadlineMs: 4000 },
  callsAtOnce: 8,
});

export const handler = clickForwarder({ standby: standbyStore(openReads(tableFor)) }, send);
