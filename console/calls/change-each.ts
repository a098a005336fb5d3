import { CallError, type PortOptions } from './port.ts';

export type ChangeOfOne = (code: string) => Promise<unknown>;
export type OnProgress = NonNullable<PortOptions['onProgress']>;

/** Changes links one by one. Resolves to why some were left as they are, by their codes. */
export const changeEach = async (
  codes: readonly string[],
  change: ChangeOfOne,
  onProgress: OnProgress,
): Promise<ReadonlyMap<string, string>> => {
  const left = new Map<string, string>();
  for (const [done, code] of codes.entries()) {
    onProgress({ done, of: codes.length });
    try {
      await change(code);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      left.set(code, error.message);
    }
  }
  return left;
};
