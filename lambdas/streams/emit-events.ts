import type { DynamoDBBatchResponse } from 'aws-lambda';
import { readClick } from '../../core/analytics/click-record.ts';
import { eachOf } from '../../core/base/each-of.ts';
import { linkChangeOf } from '../../core/events/link-change.ts';
import { changeOf, type StreamRecord } from '../../core/events/stream-change.ts';
import { visitsOf } from '../../core/events/visit-events.ts';
import type { SendKeys } from '../../core/standby/copy-queue.ts';
import { isCopied } from '../../core/table/copied-kinds.ts';
import { homeKey, type Key, sortKeys } from '../../core/table/keys.ts';
import { countMetric, logError } from '../frame/log.ts';
import { type EmitterProps, emitProjectEvents, type Happened } from './project-events.ts';

/**
 * Stores the expiry of links whose markers TTL has deleted, what links were before a change, and puts what happened into the
 * deliveries of webhooks. None of these waits for another, nor for another project; whatever fails is delivered again from its
 * first record on, and repeated events and entries keep their ids.
 */
export const eventEmitter =
  (props: EmitterProps & { readonly sendKeys?: SendKeys | undefined }) =>
  async ({ Records }: { readonly Records: readonly StreamRecord[] }): Promise<DynamoDBBatchResponse> => {
    const failed = new Set<StreamRecord>();
    const orAgain: Batch['orAgain'] = async (records, message, work) => {
      try {
        await work;
      } catch (error) {
        logError(message, error, { position: records[0]?.dynamodb?.SequenceNumber });
        for (const record of records) failed.add(record);
      }
    };
    const noted = Records.flatMap((record) => read(record).map((what) => ({ record, what })));
    const batch = { records: Records, noted, orAgain };
    await Promise.all([
      storeExpiries(batch, props),
      storeChanges(batch, props),
      emitEvents(batch, props),
      props.sendKeys && copyChanges(batch, props.sendKeys),
    ]);
    // After entries of the same batch.
    await forgetHistories(batch, props);
    const [first] = Records.filter((record) => failed.has(record));
    if (!first) return { batchItemFailures: [] };
    // Lambda counts an invocation with failed items as a success.
    countMetric('BatchFailed', { position: first.dynamodb?.SequenceNumber });
    return { batchItemFailures: [{ itemIdentifier: first.dynamodb?.SequenceNumber ?? '' }] };
  };

interface Batch {
  readonly records: readonly StreamRecord[];
  /** What happened, with the record of each. */
  readonly noted: readonly { readonly record: StreamRecord; readonly what: Happened }[];
  /** Waits for work on records, which are delivered again if it fails. */
  readonly orAgain: (
    records: readonly StreamRecord[],
    message: string,
    work: Promise<unknown>,
  ) => Promise<void>;
}

type Step = (batch: Batch, props: EmitterProps) => Promise<unknown>;

const atOnce = 32;

type Texts = Readonly<Record<string, { S?: string }>>;

const isRemoved = ({ eventName }: StreamRecord): boolean => eventName === 'REMOVE';

/** What a record's item was before. */
const oldTexts = ({ dynamodb }: StreamRecord): Texts => (dynamodb?.OldImage ?? {}) as Texts;

const isLink = ({ dynamodb }: StreamRecord): boolean =>
  (dynamodb?.Keys as Texts | undefined)?.SK?.S === sortKeys.link;

const storeExpiries: Step = ({ records, orAgain }, { stores }) =>
  Promise.all(
    records.map((record) => {
      const { project, code, expiresAt } = oldTexts(record);
      if (!isRemoved(record) || isLink(record) || !project?.S || !code?.S || !expiresAt?.S) return undefined;
      const stored = stores.links.expire(project.S, code.S, expiresAt.S);
      return orAgain([record], 'An expiry was not stored yet', stored);
    }),
  );

const storeChanges: Step = ({ noted, orAgain }, { stores, historyDays }) =>
  eachOf(noted, atOnce, async ({ record, what }) => {
    if (!('link' in what)) return;
    await orAgain([record], 'A change was not stored yet', stores.history.add(what, historyDays));
  });

const emitEvents: Step = ({ noted, orAgain }, props) => {
  const told = noted.filter(({ what }) => !what.isQuiet);
  const byProject = Map.groupBy(told, ({ what }) => what.project);
  return Promise.all(
    [...byProject].map(([project, of]) => {
      const [records, happened] = [of.map(({ record }) => record), of.map(({ what }) => what)];
      return orAgain(records, 'Events are not emitted yet', emitProjectEvents(project, happened, props));
    }),
  );
};

/** Sends changed keys to the copier of the second region, each once with its last change. */
const copyChanges = ({ records, orAgain }: Batch, sendKeys: SendKeys): Promise<void> => {
  const changed = records.flatMap((record) => {
    const { PK, SK } = (record.dynamodb?.Keys ?? {}) as Texts;
    const key: Key = { PK: PK?.S ?? '', SK: SK?.S ?? '' };
    return isCopied(key) || key.PK === homeKey.PK ? [{ record, key, id: record.eventID ?? '' }] : [];
  });
  if (changed.length === 0) return Promise.resolve();
  const last = new Map(changed.map((one) => [`${one.key.PK} ${one.key.SK}`, one]));
  const of = changed.map(({ record }) => record);
  return orAgain(of, 'Changes are not copied yet', sendKeys([...last.values()]));
};

/** Deletes a link's history with the link, which is its last record in the stream. */
const forgetHistories: Step = ({ records, orAgain }, { stores }) =>
  eachOf(records, atOnce, async (record) => {
    const { project, code } = oldTexts(record);
    if (!isRemoved(record) || !isLink(record) || !project?.S || !code?.S) return;
    const forgotten = stores.history.forget({ project: project.S, code: code.S });
    await orAgain([record], 'A history was not deleted yet', forgotten);
  });

/** Malformed content doesn't fail a batch, because it would block all later records. */
const read = (record: StreamRecord): Happened[] => {
  if (isRemoved(record)) return [];
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
