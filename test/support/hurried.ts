/** Waits for an answer in a time of its own, ten times as fast or more: who is patient with a table keeps no test waiting. */
export const hurried = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  try {
    let isThere = false;
    const answer = ask();
    const settled = answer.then(
      () => undefined,
      () => undefined,
    );
    void settled.then(() => {
      isThere = true;
    });
    while (!isThere) {
      // The network takes its turns in between.
      await new Promise((resolve) => setImmediate(resolve));
      await jest.advanceTimersByTimeAsync(5);
    }
    return await answer;
  } finally {
    jest.useRealTimers();
  }
};
