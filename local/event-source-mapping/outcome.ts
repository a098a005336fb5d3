import type { EventSourceMapping } from '../assembly/assembly.ts';
import { isRecord } from '../base/json-values.ts';
import type { InvocationResult } from '../lambda/runtime.ts';
import type { StreamRecord } from './stream-record.ts';

/** The number of finished records from the batch's start, and whether the rest failed. */
export interface BatchOutcome {
  readonly done: number;
  readonly failed: boolean;
  /** Lambda's name for an invocation that threw; null for a reported failure. */
  readonly functionError: 'Unhandled' | null;
}

/** Reads a function's result as the event source mapping does. */
export function batchOutcomeOf(
  answer: InvocationResult,
  records: readonly StreamRecord[],
  mapping: EventSourceMapping,
): BatchOutcome {
  if (!answer.ok) return { done: 0, failed: true, functionError: 'Unhandled' };
  const { payload } = answer;
  if (mapping.tumblingWindowSeconds > 0 && windowStateOf(payload) === undefined) return failedFrom(0);
  const failures =
    mapping.reportBatchItemFailures && isRecord(payload) ? payload.batchItemFailures : undefined;
  if (!Array.isArray(failures) || failures.length === 0) {
    return { done: records.length, failed: false, functionError: null };
  }
  const positions = failures.map((failure) => position(failure, records));
  return failedFrom(positions.includes(-1) ? 0 : Math.min(...positions));
}

/** The state that a function returns within a tumbling window. */
export function windowStateOf(payload: unknown): object | undefined {
  const state = isRecord(payload) ? payload.state : undefined;
  return typeof state === 'object' && state !== null ? state : undefined;
}

const failedFrom = (done: number): BatchOutcome => ({ done, failed: true, functionError: null });

function position(failure: unknown, records: readonly StreamRecord[]): number {
  const identifier = isRecord(failure) ? failure.itemIdentifier : undefined;
  return records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === identifier);
}
