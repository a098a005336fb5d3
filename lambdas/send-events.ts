import { forBackground } from '../core/table/retry-policy.ts';
import { openTable } from '../core/table/whole-table.ts';
import { deliveryStore } from '../core/webhooks/delivery-store.ts';
import { openBuses } from '../core/webhooks/event-bus.ts';
import { answerMs, openReceiver } from '../core/webhooks/receiver.ts';
import { turnStore } from '../core/webhooks/turn-store.ts';
import { wakeQueue } from '../core/webhooks/wake.ts';
import { webhookStateStore } from '../core/webhooks/webhook-state-store.ts';
import { webhookStore } from '../core/webhooks/webhook-store.ts';
import { connectTo, environment, openFunction } from './frame/open-function.ts';
import { eventSender } from './queues/send-events.ts';
import { requestsAtOnce } from './queues/webhook-turn.ts';

const { settings, tableFor } = openFunction('send-events', openTable);

const table = tableFor(forBackground);

export const handler = eventSender({
  stores: {
    deliveries: deliveryStore(table),
    turns: turnStore(table),
    webhooks: webhookStore(table),
    webhookStates: webhookStateStore(table),
  },
  wake: wakeQueue(connectTo('sqs'), settings.webhookQueueUrl),
  secret: settings.webhookSecret,
  version: settings.version,
  put: openBuses(connectTo('events'), answerMs),
  // Only the local stack sets LOCAL_RECEIVERS.
  open: () => openReceiver({ isLocal: environment.LOCAL_RECEIVERS === 'allowed', sockets: requestsAtOnce }),
});
