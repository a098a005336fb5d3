import type { DynamoDBBatchResponse } from 'aws-lambda';
import { linkChangeOf } from '../../core/events/link-change.ts';
import { imageOf, type StreamRecord } from '../../core/events/stream-change.ts';
import { visitsOf } from '../../core/events/visit-events.ts';
import { countMetric, logError } from '../log.ts';
import { storeExpiries } from './store-expiries.ts';
import { type Heard, type TellerProps, tellProject } from './tell-project.ts';

/**
 * Stores expiries, and puts what happened into the deliveries of webhooks. The two don't wait for each other, nor one
 * project for another; whatever fails is delivered again from its first record on, and repeated events keep their ids.
 */
export const teller =
  (props: TellerProps) =>
  async ({ Records }: { readonly Records: readonly StreamRecord[] }): Promise<DynamoDBBatchResponse> => {
    const heard = Records.flatMap(read);
    const projects = [...Map.groupBy(heard, ({ project }) => project)];
    const [unstored, ...untold] = await Promise.all([
      storeExpiries(props.stores, Records),
      ...projects.map(async ([project, of]) => {
        try {
          await tellProject(project, of, props);
          return [];
        } catch (error) {
          logError('Events were not told yet', error, { project });
          return of.map(({ record }) => record);
        }
      }),
    ]);
    const failed = new Set([...unstored, ...untold.flat()]);
    const [first] = Records.filter((record) => failed.has(record));
    if (!first) return { batchItemFailures: [] };
    // Lambda counts such an invocation as a success.
    countMetric('BatchFailed', { position: first.dynamodb?.SequenceNumber });
    return { batchItemFailures: [{ itemIdentifier: first.dynamodb?.SequenceNumber ?? '' }] };
  };

/** Content that can't be read never fails a batch: it would hold up every record behind it. */
const read = (record: StreamRecord): Heard[] => {
  if (record.eventName === 'REMOVE') return [];
  try {
    const { SK } = imageOf(record.dynamodb?.Keys) ?? {};
    if (SK !== 'LINK') return visitsOf(record).map((visit) => ({ ...visit, record, visit }));
    const change = linkChangeOf(record);
    return change ? [{ project: change.project, at: change.at, type: change.type, record, change }] : [];
  } catch (error) {
    logError('A record of the stream could not be read', error, {
      position: record.dynamodb?.SequenceNumber,
    });
    return [];
  }
};
