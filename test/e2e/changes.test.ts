import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '../support/folder.ts';
import { eventually } from '../support/local-stack.ts';
import { isNightly } from '../support/nightly.ts';
import { root, textOf } from '../support/source-files.ts';

/** Its sources may be changed. */
const copy = newFolder();
for (const name of ['bin', 'client', 'console', 'core', 'dev', 'lambdas', 'lib', 'local', 'ops'])
  cpSync(path.join(root, name), path.join(copy, name), {
    recursive: true,
    filter: (from) => !/[\\/](node_modules|dist)$/.test(from),
  });
for (const name of ['cdk.json', 'package.json', 'package-lock.json'])
  cpSync(path.join(root, name), path.join(copy, name));
symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: copy });
git('init', '-q');
git('add', 'core', 'lambdas', 'lib');
git('commit', '-q', '-m', 'as it is');

let stack: ChildProcess;
let printed = '';
beforeAll(() => {
  const { scripts } = JSON.parse(textOf('package.json'));
  const [, , ...script] = scripts.dev.split(' ');
  const ports = ['--api-port', '0', '--short-port', '0', '--console-port', '0'];
  stack = spawn(process.execPath, [...script, '--memory', ...ports], { cwd: copy });
  for (const stream of [stack.stdout, stack.stderr]) stream?.on('data', (chunk) => (printed += chunk));
});
afterAll(() => stack.kill('SIGKILL'));

const says = async (words: RegExp) => {
  await eventually(
    async () => printed,
    (text) => words.test(text) || stack.exitCode !== null,
  );
  expect(printed).toMatch(words);
};
const factsText = () => readFileSync(path.join(copy, '.local/stack.json'), 'utf8');
/** Another file takes its name, as many editors do it. Returns its undo, done as Git does it. */
const edit = (name: string, change: (text: string) => string) => {
  const file = path.join(copy, name);
  writeFileSync(`${file}.tmp`, change(readFileSync(file, 'utf8')));
  renameSync(`${file}.tmp`, file);
  return () => git('checkout', '-q', '--', name);
};

test("changes are reloaded at the same addresses, or reported if they don't build, and data stays", async () => {
  await says(/Ctrl-C stops/);
  const before = factsText();
  const { apiBaseUrl, shortBaseUrl, apiKey } = JSON.parse(before);
  const api = async (method: string, where: string, body?: object) => {
    const headers = { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' };
    const sent = body && JSON.stringify(body);
    const answer = await fetch(`${apiBaseUrl}/1.0${where}`, { method, headers, ...(sent && { body: sent }) });
    return answer.text();
  };
  const visit = async () => {
    const answer = await fetch(`${shortBaseUrl}/launch`, { redirect: 'manual' });
    return `${answer.status} ${await answer.text()}`;
  };
  await api('POST', '/links', { code: 'launch', payload: { link: 'https://example.com/' } });
  expect(await visit()).toMatch(/^302/);

  const code = (text: string) => `export const handler = async () => '${text}';\n`;
  const restoreRedirect = edit('lambdas/redirect.ts', () => code('changed'));
  // No visit is refused meanwhile.
  expect(await eventually(visit, (answer) => !answer.startsWith('302'))).toBe('200 changed');
  await says(/Reloaded lambdas\/redirect\.ts in [\d.]+ s\n/);

  edit('lambdas/redirect.ts', () => 'export const = 3;\n');
  await says(/keeps serving: lambdas\/redirect\.ts:1:13: Expected identifier .*\n/);
  expect(await visit()).toBe('200 changed');

  edit('lambdas/redirect.ts', () => "throw new RangeError('too early');\nexport const handler = null;\n");
  expect(await eventually(visit, (answer) => answer !== '200 changed')).toMatch(/^503/);
  await says(/ShortLinksRedirect\w+ fails to load, so every call fails: .*RangeError: too early\n/);

  restoreRedirect();
  expect(await eventually(visit, (answer) => !answer.startsWith('503'))).toMatch(/^302/);

  const restoreTable = edit('lib/table.ts', (text) => `${text}\nthrow new Error('no table');\n`);
  await says(/keeps serving: lib\/table\.ts:\d+: Error: no table\n/);
  restoreTable();

  edit('core/base/messages.ts', (text) => text.replace('There is no such endpoint', 'Nothing is here'));
  const restorePage = edit('lib/retry-page.ts', (text) =>
    text.replace('addResource(file)', "addResource('elsewhere')"),
  );
  await says(/the stack doesn't start: .*error page/);
  expect(await visit()).toMatch(/^302/);
  if (isNightly) {
    // Its fault stays known during another change.
    edit('lambdas/app-link.ts', (text) => `${text}\n`);
    await says(/(the stack doesn't start: [\s\S]*){2}/);
  }
  restorePage();
  await says(/Reloaded core\/base\/messages\.ts, (lambdas\/app-link\.ts, )?lib\/retry-page\.ts.* in/);
  expect(await api('GET', '/nothing')).toContain('Nothing is here');

  expect(await visit()).toMatch(/^302/);
  expect(factsText()).toBe(before);
  stack.kill('SIGINT');
  expect((await once(stack, 'exit'))[0]).toBe(0);
});
