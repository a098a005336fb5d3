import { CallError, type CallOptions } from './client.ts';

export type ChangeOfOne = (code: string) => Promise<unknown>;
export type OnProgress = NonNullable<CallOptions['onProgress']>;

/** Browsers open six connections to a host over HTTP/1.1. */
const atOnce = 6;

/** Changes links, several at once. Resolves to the failures by code. */
export const changeEach = async (
  codes: readonly string[],
  change: ChangeOfOne,
  onProgress: OnProgress,
): Promise<ReadonlyMap<string, string>> => {
  const left = new Map<string, string>();
  const waiting = [...codes];
  let done = 0;
  const work = async () => {
    for (let code = waiting.shift(); code !== undefined; code = waiting.shift()) {
      try {
        await change(code);
      } catch (error) {
        if (!(error instanceof CallError)) {
          // The fault isn't this link's, so the rest would fail as well.
          waiting.length = 0;
          throw error;
        }
        left.set(code, error.message);
      }
      done += 1;
      onProgress({ done, of: codes.length });
    }
  };
  onProgress({ done, of: codes.length });
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, work));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return left;
};
