import { appStore } from '../core/apps/app-store.ts';
import { historyWrites } from '../core/history/history-writes.ts';
import { linkExpiries } from '../core/links/link-expiry.ts';
import { projectStore } from '../core/projects/project-store.ts';
import { copyQueue } from '../core/standby/copy-queue.ts';
import { forBackground } from '../core/table/retry-policy.ts';
import { openTable } from '../core/table/whole-table.ts';
import { deliveryStore } from '../core/webhooks/delivery-store.ts';
import { wakeQueue } from '../core/webhooks/wake.ts';
import { webhookStore } from '../core/webhooks/webhook-store.ts';
import { connectTo, openFunction } from './frame/open-function.ts';
import { eventEmitter } from './streams/emit-events.ts';

const { settings, tableFor } = openFunction('emit-events', openTable);

const table = tableFor(forBackground);
const { copyKeysQueueUrl } = settings;

export const handler = eventEmitter({
  stores: {
    apps: appStore(table),
    deliveries: deliveryStore(table),
    history: historyWrites(table),
    links: linkExpiries(table),
    projects: projectStore(table),
    webhooks: webhookStore(table),
  },
  sendKeys: copyKeysQueueUrl === undefined ? undefined : copyQueue(connectTo('sqs'), copyKeysQueueUrl),
  wake: wakeQueue(connectTo('sqs'), settings.webhookQueueUrl),
  shortBase: settings.shortBase,
  historyDays: settings.historyDays,
});
