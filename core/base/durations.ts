export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Whole seconds since 1970, the unit of the table's TTL. */
export const epochSeconds = (ms: number): number => Math.floor(ms / 1000);
