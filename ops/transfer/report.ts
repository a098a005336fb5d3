import { openOutputFile } from './output-file.ts';
import type { RowOutcome } from './row-outcome.ts';

/**
 * Opens a file of all rows' outcomes, as JSON lines. Throws OperatorError if it can't be written. If writing fails later,
 * it drops further rows, because the import must continue.
 */
export const openReport = async (file: string) => {
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
    add: (row: RowOutcome) => unlessFaulty(() => output.write(`${JSON.stringify(row)}\n`)),
    /** Resolves to the reason why the file is missing; undefined if it is complete. */
    finish: async () => {
      await unlessFaulty(output.finish);
      return fault;
    },
    discard: output.discard,
  };
};

export type Report = Awaited<ReturnType<typeof openReport>>;
