/** Counts the metrics that functions print, and suppresses the output. */
export const collectMetrics = () => {
  const counts = new Map<string, number>();
  const { stdout } = process;
  const real = stdout.write;
  stdout.write = ((chunk: string, ...rest: never[]) => {
    const text = String(chunk);
    if (!text.startsWith('{"timestamp"')) return real.call(stdout, chunk, ...rest);
    const [, name = ''] = /"message":"([^"]*)"/.exec(text) ?? [];
    const [, times = '1'] = new RegExp(`"${name}":(\\d+)`).exec(text) ?? [];
    counts.set(name, (counts.get(name) ?? 0) + Number(times));
    return true;
  }) as typeof stdout.write;
  return {
    of: (name: string): number => counts.get(name) ?? 0,
    stop: (): void => {
      stdout.write = real;
    },
  };
};
