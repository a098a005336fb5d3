import { errorText } from '../base/error-text.ts';
import type { SmokeSession } from './session.ts';

/** One promise to check on a deployment. */
export interface Check {
  readonly name: string;
  /** Returns a detail to show; throws the fault. */
  readonly run: (session: SmokeSession) => Promise<string | undefined> | Promise<void>;
}

export interface CheckResult {
  readonly name: string;
  readonly result: 'ok' | 'failed' | 'skipped';
  readonly milliseconds: number;
  readonly detail: string;
}

/** A check that isn't possible here, with the reason. */
export class Skipped extends Error {}

/** Runs every check in order, even after failures, and the cleanup last. */
export const runChecks = async (checks: readonly Check[], session: SmokeSession): Promise<CheckResult[]> => {
  const outcomes: CheckResult[] = [];
  const cleanUp: Check = { name: 'everything created here is deleted', run: session.cleanUp };
  for (const { name, run } of [...checks, cleanUp]) {
    const start = performance.now();
    const { result, detail } = await outcomeOf(run, session);
    outcomes.push({ name, result, milliseconds: Math.round(performance.now() - start), detail });
  }
  return outcomes;
};

const outcomeOf = async (
  run: Check['run'],
  session: SmokeSession,
): Promise<Pick<CheckResult, 'result' | 'detail'>> => {
  try {
    return { result: 'ok', detail: (await run(session)) ?? '' };
  } catch (error) {
    return { result: error instanceof Skipped ? 'skipped' : 'failed', detail: errorText(error) };
  }
};
