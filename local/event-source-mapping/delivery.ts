import type { InvocationResult } from '../lambda/runtime.ts';
import { keptSeconds, lastSecondOf } from '../tables/record-time.ts';
import type { OpenWindow, ShardPosition } from './checkpoint.ts';
import type { MappingContext, Pending } from './context.ts';
import type { Discarded } from './destination.ts';
import { type BatchOutcome, batchOutcomeOf } from './outcome.ts';
import { backOff, carryOn, windowEvent } from './window.ts';

interface Batch {
  readonly records: readonly Pending[];
  /** Failed invocations so far. */
  readonly failures: number;
}

type Commit = (position: ShardPosition) => void;

/**
 * Delivers a batch until the function has accepted every record or the record is discarded, in order. Commits finished
 * records at once. Returns early only if the mapping stops.
 */
export async function deliver(
  records: readonly Pending[],
  window: OpenWindow | undefined,
  context: MappingContext,
  commit: Commit,
): Promise<OpenWindow | undefined> {
  let open = window;
  const batches: Batch[] = [{ records, failures: 0 }];
  const done = (batch: readonly Pending[]) => {
    const last = batch.at(-1);
    if (last) commit({ after: last.number, ...(open && { window: open }) });
  };
  for (let inRow = 0; batches[0] && !context.stopping.aborted; ) {
    const batch = withoutExpired(batches[0], context, done);
    batches.shift();
    if (batch.records.length === 0) continue;
    const { outcome, answer } = await attempt(batch.records, open, context);
    if (open && outcome.done > 0) open = await carryOn(open, answer, context);
    done(batch.records.slice(0, outcome.done));
    inRow = outcome.failed && outcome.done === 0 ? inRow + 1 : 0;
    if (!outcome.failed) continue;
    // A cut-off batch comes again after the next start.
    if (context.stopping.aborted) break;
    const next = afterFailure(batch, outcome, context.mapping);
    if (next) batches.unshift(...next);
    else {
      discard(batch, 'RetryAttemptsExhausted', outcome.functionError, context);
      done(batch.records);
    }
    if (next) await backOff(inRow, context);
  }
  return open;
}

async function attempt(records: readonly Pending[], open: OpenWindow | undefined, context: MappingContext) {
  const bare = records.map(({ record }) => record);
  const event = open ? windowEvent(records, open, context, undefined) : { Records: bare };
  const returned = await context.invoke(event);
  const answer: InvocationResult = context.faults.loseAnswer?.()
    ? { ok: false, errorType: 'LostAnswer', errorMessage: 'The answer was lost' }
    : returned;
  return { answer, outcome: batchOutcomeOf(answer, bare, context.mapping) };
}

/**
 * The next attempt, or undefined to give up. Progress resets the count, and halving a batch doesn't use a retry, so
 * that one bad record doesn't discard its neighbours.
 */
function afterFailure(
  { records, failures }: Batch,
  { done }: BatchOutcome,
  mapping: MappingContext['mapping'],
): readonly Batch[] | undefined {
  const rest = records.slice(done);
  if (done > 0) return [{ records: rest, failures: 0 }];
  if (mapping.bisectBatchOnError && rest.length > 1) {
    const middle = Math.ceil(rest.length / 2);
    return [
      { records: rest.slice(0, middle), failures },
      { records: rest.slice(middle), failures },
    ];
  }
  const isExhausted = mapping.maximumRetryAttempts >= 0 && failures >= mapping.maximumRetryAttempts;
  return isExhausted ? undefined : [{ records: rest, failures: failures + 1 }];
}

function withoutExpired(
  batch: Batch,
  context: MappingContext,
  done: (batch: readonly Pending[]) => void,
): Batch {
  const { maximumRecordAgeSeconds } = context.mapping;
  const maximum = maximumRecordAgeSeconds > 0 ? maximumRecordAgeSeconds : keptSeconds;
  const first = batch.records.findIndex(
    ({ record }) => context.ageOf(lastSecondOf(record.dynamodb.ApproximateCreationDateTime)) <= maximum,
  );
  if (first === 0) return batch;
  const count = first < 0 ? batch.records.length : first;
  const expired = { ...batch, records: batch.records.slice(0, count) };
  discard(expired, 'RecordAgeExceeded', batch.failures > 0 ? 'Unhandled' : null, context);
  done(expired.records);
  return { ...batch, records: batch.records.slice(count) };
}

function discard(
  batch: Batch,
  condition: Discarded['condition'],
  functionError: Discarded['functionError'],
  context: MappingContext,
): void {
  const invokeCount = condition === 'RetryAttemptsExhausted' ? batch.failures + 1 : batch.failures;
  const records = batch.records.map(({ record }) => record);
  const shardId = batch.records[0]?.shardId ?? '';
  context.discard({ shardId, records, condition, invokeCount, functionError });
}
