/** Signals by which the user or the system ends a program. */
export const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves at the first of these signals, which no longer end the process. */
export const interrupted = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of endSignals) process.on(signal, () => resolve());
  });
