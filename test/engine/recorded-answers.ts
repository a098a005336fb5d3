import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Answer } from './answers.ts';
import type { Call } from './random-calls.ts';

/** DynamoDB Local's answers to random calls and to odd ones, one a line, in their order. */
export const recordedFile = path.join(import.meta.dirname, 'recorded-answers.ndjson');

type Recorded = Call & { readonly answer: Answer };

/** A line. Long texts are shortened: they repeat a few letters. */
export const recorded = (one: Recorded): string =>
  JSON.stringify(one).replace(
    /([^<>]{1,30}?)\1{90,}/g,
    (all, part) => `<${all.length / part.length} times ${part}>`,
  );

export const recordedAnswers = (): readonly Recorded[] =>
  readFileSync(recordedFile, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) =>
      JSON.parse(line.replace(/<(\d+) times ([^<>]+)>/g, (_, times, part) => part.repeat(Number(times)))),
    );

/** So many random calls are recorded. */
export const recordedCalls = 250;

/**
 * Calls that random ones seldom make, in this order: limits, pages, and single faults. A new one is a line at the end,
 * with any answer; JUDGE_RECORD=1 replaces that.
 */
export const oddCalls = (): readonly Call[] =>
  recordedAnswers()
    .slice(recordedCalls)
    .map(({ operation, input }) => ({ operation, input }));
