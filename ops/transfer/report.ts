import { openOutputFile } from './output-file.ts';
import type { RowOutcome } from './row-outcome.ts';

/** A file of what became of each row, as JSON lines. */
export interface Report {
  readonly add: (row: RowOutcome) => Promise<void>;
  /** Resolves to why the file is missing; undefined if it is whole. */
  readonly finish: () => Promise<string | undefined>;
  readonly discard: () => Promise<void>;
}

/**
 * Opens a report. Throws OperatorError if it can't be written. If it can't be written any more later, it takes no more
 * rows, because the import has to go on.
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
