import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UsageError } from '../../../ops/base/operator-error.ts';
import { assembleInto } from '../../../ops/start/app.ts';

test('values of a context that do not go together are a usage error', async () => {
  const output = await mkdtemp(path.join(tmpdir(), 'assembly-'));
  const failure = await assembleInto(output, { signIn: 'https://id.example.com' }).catch((error) => error);
  expect(failure).toEqual(new UsageError("signIn needs signInClient, the service's client id at the issuer"));
  expect(failure).toBeInstanceOf(UsageError);
  expect(await readdir(output)).toEqual([]);
});
