import { readdir } from 'node:fs/promises';
import { assembleInto } from '../../dev/app.ts';
import { UsageError } from '../../ops/base/operator-error.ts';
import { newFolder } from '../support/folder.ts';

test('values of a context that do not go together are a usage error', async () => {
  const output = newFolder();
  const failure = await assembleInto(output, { signIn: 'https://id.example.com' }).catch((error) => error);
  expect(failure).toEqual(new UsageError("signIn needs signInClient, the service's client id at the issuer"));
  expect(failure).toBeInstanceOf(UsageError);
  expect(await readdir(output)).toEqual([]);
});
