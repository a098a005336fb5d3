import { openStores } from '../core/stores.ts';
import { connect, serviceAccess, sqs } from '../core/table/connection.ts';
import { forStreams } from '../core/table/patience.ts';
import { openTable } from '../core/table/port.ts';
import { wakeQueue } from '../core/webhooks/wake.ts';
import { openFunction } from './open-function.ts';
import { teller } from './streams/tell.ts';

const { settings, tableFor } = openFunction({ name: 'tell', environment: process.env, port: openTable });

export const handler = teller({
  stores: openStores(tableFor(forStreams)),
  wake: wakeQueue(connect(serviceAccess(process.env, 'sqs'), sqs), settings.webhookQueueUrl),
  shortBase: settings.shortBase,
});
