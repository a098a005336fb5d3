/**
 * How long a function remembers what the table says of hosts and take-downs, in milliseconds, give or take a fifth. An
 * operator's change acts this much later at most: a suspension within five seconds, a denied destination within a minute.
 */
export const memoryTimes = { suspension: 4000, denial: 45_000, host: 4000 };

export type MemoryTimes = Readonly<typeof memoryTimes>;

/** The same time for all of them. */
export const shortMemory = (ms: number): MemoryTimes => ({ suspension: ms, denial: ms, host: ms });
