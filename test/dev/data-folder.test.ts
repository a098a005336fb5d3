import { chmodSync, chownSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { addressBefore, keepAddress } from '../../dev/console-address.ts';
import { dataFault, openDataFolder } from '../../dev/data-folder.ts';
import { newFolder } from '../support/folder.ts';

const fault = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: raw words`), { code, ...(path !== undefined && { path }) });

test.each([
  [fault('ENOSPC'), 'the disk is full'],
  [fault('EROFS', 'data/secrets.json'), 'the disk is read-only (data/secrets.json)'],
  [fault('EACCES', 'data'), 'you may not write there'],
  [fault('EISDIR', 'data/functions.log'), 'EISDIR: raw words'],
  [new Error('backend: database or disk is full'), 'the disk is full'],
])('a fault of the data folder comes with the remedy: %s', (error, reason) => {
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

const testOnLinux = process.platform === 'linux' ? test : test.skip;
testOnLinux('a folder that takes no entries is refused at once', async () => {
  await expect(openDataFolder('/proc/stack/data')).rejects.toThrow(
    "The data folder /proc/stack/data can't be used: ENOENT: no such file or directory, mkdir '/proc/stack'",
  );
});

// Only the superuser can give a file to another user.
const asSuperuser = process.getuid?.() === 0 ? test : test.skip;
const nobody = 65_534;
const address = `http://127.0.0.1:38123/?token=${'A'.repeat(32)}`;
let folder: string;
beforeEach(() => {
  folder = newFolder();
});

asSuperuser.each([0o777, 0o1777])("another user's folder of mode %d is refused", async (mode) => {
  chownSync(folder, nobody, nobody);
  chmodSync(folder, mode);
  await expect(openDataFolder(folder)).rejects.toThrow(
    `The data folder ${folder} belongs to another user. Name another one with --data DIR`,
  );
});

test('a shared folder stays open, its secrets do not', async () => {
  chmodSync(folder, 0o1777);
  const file = path.join(folder, 'secrets.json');
  writeFileSync(file, '{}');
  chmodSync(file, 0o666);
  await openDataFolder(folder);
  expect([folder, file].map((one) => statSync(one).mode & 0o777)).toEqual([0o777, 0o600]);
});

asSuperuser.each(['secrets.json', 'demo-key', 'stack.json', 'dynamodb'])(
  '%s of another user is refused',
  async (name) => {
    const file = path.join(folder, name);
    writeFileSync(file, '');
    chownSync(file, nobody, nobody);
    await expect(openDataFolder(folder)).rejects.toThrow(
      `${file} belongs to another user. Name another one with --data DIR`,
    );
  },
);

test("the console's address is kept for its user only", async () => {
  await keepAddress(folder, address);
  expect(await addressBefore(folder)).toBe(address);
  expect(statSync(path.join(folder, 'console-address')).mode & 0o777).toBe(0o600);
  chmodSync(path.join(folder, 'console-address'), 0o644);
  expect(await addressBefore(folder)).toBeUndefined();
  await keepAddress(folder, address);
  expect(await addressBefore(folder)).toBe(address);
  expect(await addressBefore(undefined)).toBeUndefined();
});

asSuperuser('an address that another user has put there opens nothing', async () => {
  const file = path.join(folder, 'console-address');
  writeFileSync(file, address, { mode: 0o600 });
  expect(await addressBefore(folder)).toBe(address);
  chownSync(file, nobody, nobody);
  expect(await addressBefore(folder)).toBeUndefined();
});
