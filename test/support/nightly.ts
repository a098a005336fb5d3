/** Whether long tests run that rarely find anything: `npm run nightly` sets NIGHTLY=1. */
export const isNightly = process.env.NIGHTLY === '1';

/** The runs of a property: by day as many as find faults, at night twenty times as many. */
export const runs = (byDay: number): number => (isNightly ? byDay * 20 : byDay);

/** `test` and `describe` at night; skipped otherwise. */
export const testAtNight: typeof test.skip = isNightly ? test : test.skip;
export const describeAtNight: typeof describe.skip = isNightly ? describe : describe.skip;
