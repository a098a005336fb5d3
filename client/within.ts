/** The result of a function; undefined if it fails or takes longer. */
export const within = async <Result>(ms: number, act: () => Promise<Result>): Promise<Result | undefined> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((done) => {
    timer = setTimeout(done as () => void, ms);
  });
  const result = await Promise.race([attempt(act), timeout]);
  clearTimeout(timer);
  return result;
};

/** The result of a function; undefined if it fails. */
export const attempt = async <Result>(act: () => Result | Promise<Result>): Promise<Result | undefined> => {
  try {
    return await act();
  } catch {
    return undefined;
  }
};
