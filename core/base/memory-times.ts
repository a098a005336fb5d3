/**
 * How long a function remembers what the table says of hosts and take-downs, in milliseconds, give or take a fifth. An
 * operator's change acts this much later at most: a suspension within five seconds, a denied destination within a minute.
 */
export const memoryMs = { suspension: 4000, denial: 45_000, host: 4000 };

/** Shortens every memory of this process, if a time is given. For the local stack alone; no template names one. */
export const shortenMemory = (ms: string | undefined): void => {
  if (ms !== undefined)
    Object.assign(memoryMs, { suspension: Number(ms), denial: Number(ms), host: Number(ms) });
};
