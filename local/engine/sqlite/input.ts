/** A call's JSON. */
export type Input = Readonly<Record<string, unknown>>;
