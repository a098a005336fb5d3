import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '../support/folder.ts';
import { runProgram } from '../support/program.ts';

test.each([
  ['plan', "Missing required argument 'file'; see 'dynamic-links --help'"],
  ['pln links.yaml', "Unknown command 'pln'. Did you mean 'plan'?"],
  ['plan links.yaml --jsn', "Unknown option '--jsn'. Did you mean '--json'?"],
  [
    'apply links.yaml --orphans never',
    "Option '--orphans <what>' argument 'never' is invalid. Allowed choices are keep, pause; see 'dynamic-links --help'",
  ],
])('dynamic-links %s fails with one line', async (call, line) => {
  expect(await runProgram(call.split(' '), {})).toEqual({ status: 1, out: '', err: `${line}\n` });
});

test('files without a link are taken for a mistake, unless orphans are to be paused', async () => {
  const file = path.join(newFolder(), 'links.yaml');
  writeFileSync(file, 'owner: web\n');
  for (const call of [['plan'], ['apply', '--yes']])
    expect(await runProgram([...call, file], {})).toMatchObject({
      ...{ status: 1, out: '' },
      err: expect.stringMatching(
        /^No file has a link\. To pause every link of the owner, add --orphans pause$/m,
      ),
    });
});

test('a call without a response names the setting with the address', async () => {
  const file = path.join(newFolder(), 'links.yaml');
  writeFileSync(file, 'owner: web\nlinks:\n  summer: { payload: { link: https://example.com/ } }\n');
  const settings = { DLS_URL: 'http://127.0.0.1:1', DLS_KEY: 'dl_key' };
  const { err } = await runProgram(['plan', file], settings);
  expect(err).toMatch(/^CONNECTION_ERROR: .*\. Check DLS_URL\n$/);
});
