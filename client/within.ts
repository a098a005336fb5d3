/** The result of a function; undefined if it takes longer. */
export const within = async <Result>(ms: number, act: () => Promise<Result>): Promise<Result | undefined> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), ms);
  });
  const result = await Promise.race([act(), timeout]);
  clearTimeout(timer);
  return result;
};
