/** Whether tests also do what takes long and seldom finds anything: NIGHTLY=1, as `npm run nightly` sets it. */
export const isNightly = process.env.NIGHTLY === '1';
