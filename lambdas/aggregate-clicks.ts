import { clickDelivery } from '../core/clicks/click-delivery.ts';
import { figureStore } from '../core/clicks/figure-store.ts';
import { firehose, firehoseAccess } from '../core/clicks/firehose.ts';
import { connect, tableAccess } from '../core/table/connection.ts';
import { forStreams } from '../core/table/patience.ts';
import { openItems } from '../core/table/port.ts';
import { logAs } from './log.ts';
import { aggregator } from './streams/aggregate-clicks.ts';

logAs(process.env);
const table = openItems(connect(tableAccess(process.env)), {
  name: process.env.TABLE_NAME ?? '',
  patience: forStreams,
});

const { FIGURES_RETENTION_DAYS: days, CLICK_EXPORT_STREAM: stream } = process.env;

export const handler = aggregator({
  stores: { figures: figureStore(table) },
  retentionDays: days === undefined ? undefined : Number(days),
  deliver: stream
    ? clickDelivery(firehose({ access: firehoseAccess(process.env), stream, deadlineMs: 10_000 }))
    : undefined,
});
