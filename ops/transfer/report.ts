import { openOutputFile } from './output-file.ts';
import type { RowOutcome } from './row-outcome.ts';

/** A file of all rows' outcomes, as JSON lines. */
export interface Report {
  readonly add: (row: RowOutcome) => Promise<void>;
  /** Resolves to the reason why the file is missing; undefined if it is complete. */
  readonly finish: () => Promise<string | undefined>;
  readonly discard: () => Promise<void>;
}

/**
 * Opens a report. Throws OperatorError if it can't be written. If writing fails later, it drops further rows, because
 * the import must continue.
 */
export const openReport = async (file: string): Promise<Report> => {
  const output = await openOutputFile(file);
  let fault: string | undefined;
  const unlessFaulty = async (act: () => Promise<void>) => {
    if (fault !== undefined) return;
    try {
      await act();
    } catch (error) {
      fault = (error as Error).message;
      await output.discard();
    }
  };
  return {
    add: (row) => unlessFaulty(() => output.write(`${JSON.stringify(row)}\n`)),
    finish: async () => {
      await unlessFaulty(output.finish);
      return fault;
    },
    discard: output.discard,
  };
};
