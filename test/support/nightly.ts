/** Whether tests also do what takes long and seldom finds anything: NIGHTLY=1, as `npm run nightly` sets it. */
export const isNightly = process.env.NIGHTLY === '1';

/** `test` and `describe` at night; skipped otherwise. */
export const testAtNight: typeof test.skip = isNightly ? test : test.skip;
export const describeAtNight: typeof describe.skip = isNightly ? describe : describe.skip;
