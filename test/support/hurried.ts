/** Waits for a result with a clock that runs at least ten times as fast, so that retries don't delay tests. */
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
      // Lets the network's events run in between.
      await new Promise((resolve) => setImmediate(resolve));
      await jest.advanceTimersByTimeAsync(5);
    }
    return await answer;
  } finally {
    jest.useRealTimers();
  }
};
