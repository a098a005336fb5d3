import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { eachOf } from '../../core/base/each-of.ts';
import type { UsesOf } from '../../core/functions.ts';
import type { Granted } from '../../core/stores.ts';
import { linkOfVisitor } from '../../core/table/analytics-keys.ts';
import { forBackground, type RetryPolicy } from '../../core/table/retry-policy.ts';
import { lateWriteOf } from '../../core/visits/click-queue.ts';
import type { LateWrite } from '../../core/visits/late-click-store.ts';
import { countMetric, logError } from '../frame/log.ts';

/** A patient policy: clicks are in the queue because the table is busy. */
export const forLateClicks: RetryPolicy = {
  ...forBackground,
  deadlineMs: 20_000,
  attempts: 50,
  firstPauseMs: 30,
  longestPauseMs: 1000,
};

/** Time for a batch, below the function's minute, so that results are reported before it ends. */
const workMs = 45_000;

type Stores = Granted<UsesOf<'record-clicks'>>;

/** Counts clicks from the queue. Messages for which no time is left are redelivered. */
export const clickRecorder =
  (stores: Stores, { visitorsAtOnce = 32 } = {}) =>
  async ({ Records }: Pick<SQSEvent, 'Records'>): Promise<SQSBatchResponse> => {
    const until = Date.now() + workMs;
    const failed = new Set<string>();
    const fail = (message: string, error: unknown) => {
      failed.add(message);
      logError('A click was not counted yet', error, { message });
    };
    const count = counter(stores);
    const read = Records.flatMap(({ messageId: id, body }) => {
      try {
        return [{ id, late: lateWriteOf(body) }];
      } catch (error) {
        fail(id, error);
        return [];
      }
    });
    // Clicks of one visitor change one item, so they are counted in sequence.
    const visitors = Map.groupBy(read, ({ late }) => `${late.write.Key.PK} ${late.write.Key.SK}`).values();
    await eachOf(visitors, visitorsAtOnce, async (clicks) => {
      for (const { id, late } of clicks) {
        if (Date.now() >= until) failed.add(id);
        else await count(late).catch((error) => fail(id, error));
      }
    });
    return { batchItemFailures: [...failed].map((itemIdentifier) => ({ itemIdentifier })) };
  };

/** Counts a click, and looks up each link of a batch once. */
const counter = ({ lateClicks }: Stores) => {
  const links = new Map<string, Promise<boolean>>();
  return async (late: LateWrite): Promise<void> => {
    const link = linkOfVisitor(late.write.Key.PK);
    const name = `${link?.project}#${link?.code}`;
    const found = links.get(name) ?? (link ? lateClicks.hasLink(link) : Promise.resolve(false));
    links.set(name, found);
    if (!(await found)) return countMetric('ClickForgotten', link);
    const outcome = await lateClicks.record(late, new Date());
    if (outcome === 'uncertain') countMetric('ClickUncertain', link);
  };
};
