import { dataFault } from '../../../ops/start/data-folder.ts';

const fault = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: raw words`), { code, ...(path !== undefined && { path }) });

test.each([
  [fault('ENOSPC'), 'the disk is full'],
  [fault('EROFS', 'data/secrets.json'), 'the disk is read-only (data/secrets.json)'],
  [fault('EACCES', 'data'), 'you may not write there'],
  [fault('EISDIR', 'data/functions.log'), 'EISDIR: raw words'],
  [new Error('backend: database or disk is full'), 'the disk is full'],
])('a fault of the data folder says what to do: %s', (error, reason) => {
  expect(dataFault('data', error)).toMatchObject({
    message: `The data folder data can't be used: ${reason}. Name another one with --data DIR`,
  });
});

test.each([fault('EACCES', 'database/file'), fault('EADDRINUSE'), new Error('something else'), 'no error'])(
  'another fault stays as it is: %s',
  (error) => {
    expect(dataFault('data', error)).toBe(error);
  },
);
