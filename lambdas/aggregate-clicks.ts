import { analyticsStore } from '../core/analytics/analytics-store.ts';
import { clickDelivery } from '../core/click-export/click-delivery.ts';
import { firehoseStream } from '../core/click-export/firehose.ts';
import { keptRows } from '../core/click-export/kept-rows.ts';
import { serviceAccess } from '../core/table/connection.ts';
import { openItems } from '../core/table/items.ts';
import { forBackground } from '../core/table/retry-policy.ts';
import { connectTo, environment, openFunction } from './frame/open-function.ts';
import { aggregator } from './streams/aggregate-clicks.ts';

const { settings, tableFor } = openFunction('aggregate-clicks', openItems);
const { clickExportStream: stream, failuresBucket, figuresRetentionDays } = settings;

export const handler = aggregator({
  stores: { analytics: analyticsStore(tableFor(forBackground)) },
  retentionDays: figuresRetentionDays,
  deliver: stream
    ? clickDelivery({
        put: firehoseStream(connectTo('firehose'), stream),
        keep: keptRows(serviceAccess(environment, 's3'), failuresBucket ?? ''),
      })
    : undefined,
});
