import type { DynamoDBBatchResponse } from 'aws-lambda';
import { readClick } from '../../core/analytics/click-record.ts';
import { eachOf } from '../../core/base/each-of.ts';
import { linkChangeOf } from '../../core/events/link-change.ts';
import { changeOf, type StreamRecord } from '../../core/events/stream-change.ts';
import { visitsOf } from '../../core/events/visit-events.ts';
import { sortKeys } from '../../core/table/keys.ts';
import { countMetric, logError } from '../frame/log.ts';
import { type EmitterProps, emitProjectEvents, type Happened } from './project-events.ts';

/**
 * Stores the expiry of links whose markers TTL has deleted, what links were before a change, and puts what happened into the
 * deliveries of webhooks. None of these waits for another, nor for another project; whatever fails is delivered again from its
 * first record on, and repeated events and entries keep their ids.
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
    const { stores, historyDays } = props;
    const happened = Records.flatMap((record) => read(record).map((what) => ({ record, what })));
    await Promise.all([
      ...Records.map((record) => orAgain([record], 'An expiry was not stored yet', expire(record, props))),
      eachOf(happened, atOnce, async ({ record, what }) => {
        if (!('link' in what)) return;
        await orAgain([record], 'A change was not stored yet', stores.history.add(what, historyDays));
      }),
      ...[
        ...Map.groupBy(
          happened.filter(({ what }) => !what.isQuiet),
          ({ what }) => what.project,
        ),
      ].map(([project, of]) => {
        const [records, happened] = [of.map(({ record }) => record), of.map(({ what }) => what)];
        return orAgain(records, 'Events are not emitted yet', emitProjectEvents(project, happened, props));
      }),
    ]);
    // After entries of the same batch.
    await eachOf(Records, atOnce, (record) =>
      orAgain([record], 'A history was not deleted yet', forget(record, props)),
    );
    const [first] = Records.filter((record) => failed.has(record));
    if (!first) return { batchItemFailures: [] };
    // Lambda counts an invocation with failed items as a success.
    countMetric('BatchFailed', { position: first.dynamodb?.SequenceNumber });
    return { batchItemFailures: [{ itemIdentifier: first.dynamodb?.SequenceNumber ?? '' }] };
  };

const atOnce = 32;

type Texts = Readonly<Record<string, { S?: string }>>;

const isLink = ({ dynamodb }: StreamRecord): boolean =>
  (dynamodb?.Keys as Texts | undefined)?.SK?.S === sortKeys.link;

/** Deletes a link's history with the link, which is its last record in the stream. */
const forget = async (record: StreamRecord, { stores }: EmitterProps): Promise<void> => {
  const { project, code } = (record.dynamodb?.OldImage ?? {}) as Texts;
  if (record.eventName !== 'REMOVE' || !isLink(record) || !project?.S || !code?.S) return;
  await stores.history.forget({ project: project.S, code: code.S });
};

const expire = async (record: StreamRecord, { stores }: EmitterProps): Promise<void> => {
  if (record.eventName !== 'REMOVE' || isLink(record)) return;
  const { project, code, expiresAt } = (record.dynamodb?.OldImage ?? {}) as Texts;
  if (project?.S && code?.S && expiresAt?.S) await stores.links.expire(project.S, code.S, expiresAt.S);
};

/** Malformed content doesn't fail a batch, because it would block all later records. */
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
