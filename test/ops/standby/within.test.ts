import { within } from '../../../ops/base/within.ts';

test('a call without a response ends with an error, and another one as it does itself', async () => {
  await expect(within(0.01, new Promise(() => undefined))).rejects.toThrow('no answer within 0.01 seconds');
  expect(await within(60, Promise.resolve('answer'))).toBe('answer');
  await expect(within(60, Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});
