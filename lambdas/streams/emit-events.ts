import type { DynamoDBBatchResponse } from 'aws-lambda';
import { linkChangeOf } from '../../core/events/link-change.ts';
import { changeOf, type StreamRecord } from '../../core/events/stream-change.ts';
import { visitsOf } from '../../core/events/visit-events.ts';
import { readClick } from '../../core/figures/click-record.ts';
import { countMetric, logError } from '../frame/log.ts';
import { type EmitterProps, emitProjectEvents, type Happened } from './project-events.ts';

/**
 * Stores the expiry of links whose markers TTL has deleted, and puts what happened into the deliveries of webhooks. Nothing
 * waits for another project; whatever fails is delivered again from its first record on, and repeated events keep their ids.
 */
export const eventEmitter =
  (props: EmitterProps) =>
  async ({ Records }: { readonly Records: readonly StreamRecord[] }): Promise<DynamoDBBatchResponse> => {
    const failed = new Set<StreamRecord>();
    const orAgain = async (records: readonly StreamRecord[], message: string, work: Promise<void>) => {
      try {
        await work;
      } catch (error) {
        logError(message, error, { position: records[0]?.dynamodb?.SequenceNumber });
        for (const record of records) failed.add(record);
      }
    };
    const heard = Records.flatMap((record) => read(record).map((what) => ({ record, what })));
    await Promise.all([
      ...Records.map((record) => orAgain([record], 'An expiry was not stored yet', expire(record, props))),
      ...[...Map.groupBy(heard, ({ what }) => what.project)].map(([project, of]) => {
        const [records, happened] = [of.map(({ record }) => record), of.map(({ what }) => what)];
        return orAgain(records, 'Events were not told yet', emitProjectEvents(project, happened, props));
      }),
    ]);
    const [first] = Records.filter((record) => failed.has(record));
    if (!first) return { batchItemFailures: [] };
    // Lambda counts such an invocation as a success.
    countMetric('BatchFailed', { position: first.dynamodb?.SequenceNumber });
    return { batchItemFailures: [{ itemIdentifier: first.dynamodb?.SequenceNumber ?? '' }] };
  };

const expire = async ({ eventName, dynamodb }: StreamRecord, { stores }: EmitterProps): Promise<void> => {
  if (eventName !== 'REMOVE') return;
  const { project, code, expiresAt } = (dynamodb?.OldImage ?? {}) as Readonly<Record<string, { S?: string }>>;
  if (project?.S && code?.S && expiresAt?.S) await stores.links.expire(project.S, code.S, expiresAt.S);
};

/** Content that can't be read never fails a batch: it would hold up every record behind it. */
const read = (record: StreamRecord): Happened[] => {
  if (record.eventName === 'REMOVE') return [];
  try {
    const change = changeOf(record);
    if (change.key.SK === 'LINK') return [linkChangeOf(change)].filter((one) => one !== undefined);
    const counted = readClick(record.dynamodb);
    return counted ? visitsOf(counted, change) : [];
  } catch (error) {
    logError('A record of the stream could not be read', error, {
      position: record.dynamodb?.SequenceNumber,
    });
    return [];
  }
};
