import { setTimeout as delay } from 'node:timers/promises';

/** A result, or an error after this time: a region that is away may leave a connection open without an answer. */
export const within = async <Result>(seconds: number, asked: Promise<Result>): Promise<Result> => {
  const end = new AbortController();
  const late = delay(seconds * 1000, undefined, { signal: end.signal }).then(() => {
    throw new Error(`no answer within ${seconds} seconds`);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    end.abort();
  }
};
