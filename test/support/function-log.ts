/** Captures the output of functions in this process, instead of printing it. */
export const captureFunctionLog = (): { readonly lines: string[]; stop(): void } => {
  const lines: string[] = [];
  const write = process.stdout.write.bind(process.stdout);
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((chunk, ...rest: unknown[]) => {
    const text = String(chunk);
    if (!text.startsWith('{"timestamp"')) return (write as (...all: unknown[]) => boolean)(chunk, ...rest);
    lines.push(text);
    return true;
  });
  return { lines, stop: () => spy.mockRestore() };
};

/** Lines that functions print. */
export const printedBy = async (act: () => Promise<unknown>) => {
  const log = captureFunctionLog();
  try {
    await act();
  } finally {
    log.stop();
  }
  return log.lines.map((line) => JSON.parse(line));
};
