import { clickDelivery } from '../core/clicks/click-delivery.ts';
import { figureStore } from '../core/clicks/figure-store.ts';
import { firehose, firehoseAccess } from '../core/clicks/firehose.ts';
import { leanClient, tableAccess } from '../core/table/lean-client.ts';
import { leanTable } from '../core/table/lean-table.ts';
import { logAs } from './log.ts';
import { aggregator } from './streams/aggregate-clicks.ts';

logAs(process.env);
const table = leanTable(leanClient(tableAccess(process.env)), {
  name: process.env.TABLE_NAME ?? '',
  deadlineMs: 10_000,
});

const { FIGURES_RETENTION_DAYS: days, CLICK_EXPORT_STREAM: stream } = process.env;

export const handler = aggregator({
  stores: { figures: figureStore(table) },
  retentionDays: days === undefined ? undefined : Number(days),
  deliver: stream
    ? clickDelivery(firehose({ access: firehoseAccess(process.env), stream, deadlineMs: 10_000 }))
    : undefined,
});
