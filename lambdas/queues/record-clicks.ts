import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { eachOf } from '../../core/base/each-of.ts';
import type { UsesOf } from '../../core/functions.ts';
import type { Granted } from '../../core/stores.ts';
import { linkOfVisitor } from '../../core/table/figure-keys.ts';
import { forBackground, type Patience } from '../../core/table/patience.ts';
import { lateWriteOf } from '../../core/visits/click-queue.ts';
import type { LateWrite } from '../../core/visits/late-click-store.ts';
import { countMetric, logError } from '../log.ts';

/** A click is worth waiting for the table, which is busy where clicks wait. */
export const forLateClicks: Patience = {
  ...forBackground,
  deadlineMs: 20_000,
  attempts: 50,
  firstPauseMs: 30,
  longestPauseMs: 1000,
};

/** Of the function's minute, so that what is done is reported before it ends. */
const workMs = 45_000;

interface Waiting {
  readonly id: string;
  readonly late: LateWrite;
}

type Stores = Granted<UsesOf<'record-clicks'>>;

/** Counts what waited in the queue. Messages for which no time is left come again. */
export const clickRecorder =
  (stores: Stores, { visitorsAtOnce = 32 } = {}) =>
  async ({ Records }: Pick<SQSEvent, 'Records'>): Promise<SQSBatchResponse> => {
    const until = Date.now() + workMs;
    const failed = new Set<string>();
    const count = counter(stores);
    const attempt = async ({ id, late }: Waiting) => {
      if (Date.now() >= until) failed.add(id);
      else await count(late).catch((error) => fail(failed, id, error));
    };
    const read = Records.flatMap((record) => waiting(record, failed));
    // One visitor's clicks change one item, so they follow each other.
    const visitors = Map.groupBy(read, ({ late }) => `${late.write.Key.PK} ${late.write.Key.SK}`).values();
    await eachOf(visitors, visitorsAtOnce, async (clicks) => {
      for (const click of clicks) await attempt(click);
    });
    return { batchItemFailures: [...failed].map((itemIdentifier) => ({ itemIdentifier })) };
  };

const waiting = ({ messageId: id, body }: SQSRecord, failed: Set<string>): Waiting[] => {
  try {
    return [{ id, late: lateWriteOf(body) }];
  } catch (error) {
    fail(failed, id, error);
    return [];
  }
};

const fail = (failed: Set<string>, id: string, error: unknown): void => {
  failed.add(id);
  logError('A click was not counted yet', error, { message: id });
};

/** Looks once for each link of a batch. */
const counter = ({ lateClicks }: Stores) => {
  const links = new Map<string, Promise<boolean>>();
  const hasLink = (PK: string): Promise<boolean> => {
    const { project, code } = linkOfVisitor(PK) ?? {};
    const link = `${project}#${code}`;
    const found = links.get(link) ?? lateClicks.hasLink(PK);
    links.set(link, found);
    return found;
  };
  return async (late: LateWrite): Promise<void> => {
    const { PK } = late.write.Key;
    if (!(await hasLink(PK))) return countMetric('ClickForgotten', linkOfVisitor(PK));
    const outcome = await lateClicks.record(late, new Date());
    if (outcome === 'uncertain') countMetric('ClickUncertain', linkOfVisitor(PK));
  };
};
