import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../../ops/base/operator-error.ts';
import { blockLink } from '../../../ops/takedowns/takedowns.ts';
import { runCommand } from '../../support/command.ts';
import { newFolder } from '../../support/folder.ts';
import { importText } from '../../support/imports.ts';
import { fileDeployment, projectIn, writeFacts } from '../../support/ops-deployment.ts';

const deployment = fileDeployment();
const folder = newFolder();
let project: string;
beforeAll(() => writeFacts(folder, deployment));
beforeEach(async () => {
  project = await projectIn(deployment);
});

const called = (line: string, answer?: string) =>
  runCommand([...line.split(' ').filter(Boolean), '--data', folder], {
    ...(answer !== undefined && { answer }),
  });
const filled = async (count: number) => {
  const rows = Array.from({ length: count }, (_, i) =>
    JSON.stringify({
      code: `link-${i}`,
      name: i % 2 ? 'odd' : 'even',
      payload: { link: 'https://example.com/' },
    }),
  );
  await importText(deployment, { project, name: 'links.ndjson', text: rows.join('\n') });
};
const rowsOf = (printed: string) => (printed.startsWith('code') ? printed.split('\n').length - 1 : 0);

test('a list shows the total that it is a part of', async () => {
  const list = (flags = '') => called(`link list --project ${project} ${flags}`);
  expect(await list()).toMatchObject({ noted: ['0 of 0'] });
  await filled(130);
  for (const [flags, rows, said] of [
    ['', 50, ['50 of 130']],
    ['--limit 7', 7, ['7 of 130']],
    ['--limit 100', 100, ['100 of 130']],
    ['--limit 129', 129, ['129 of 130']],
    ['--limit 130', 130, ['130 of 130']],
    ['--all', 130, ['130 of 130']],
    ['--search odd', 50, ['50, more match']],
    ['--search odd --limit 65', 65, []],
    ['--search odd --all', 65, []],
    ['--status active --limit 129', 129, ['129, more match']],
    ['--status paused', 0, []],
  ] as const) {
    const { printed, noted } = await list(flags);
    expect([flags, rowsOf(printed), noted]).toEqual([flags, rows, said]);
  }
  const json = await list('--json --all');
  expect([JSON.parse(json.printed).length, json.noted]).toEqual([130, ['130 of 130']]);
  expect((await list('--json')).noted).toEqual(['50 of 130']);
  expect((await list('--json --search odd --all')).noted).toEqual(['65 of 65']);
  await blockLink(deployment, { project, code: 'link-1' });
  expect((await list('--all')).noted).toEqual(['130 of 130']);
});

test.each([
  [undefined, '', false, 0],
  [undefined, '--yes', true, 0],
  ['y', '', true, 1],
  [' yes\n', '', true, 1],
  ['', '', false, 1],
  ['n', '', false, 1],
  ['Yes, please', '', false, 1],
  ['link-0', '', false, 1],
  ['n', '--yes', true, 0],
])('with the answer %j, link delete %s deletes: %j', async (answer, flags, isDeleted, questions) => {
  await filled(1);
  const { error, asked } = await called(`link delete link-0 --project ${project} ${flags}`, answer);
  expect(asked).toHaveLength(questions);
  for (const question of asked) expect(question).toContain(`Delete link-0 of ${project}`);
  expect(await deployment.stores.links.count(project)).toBe(isDeleted ? 0 : 1);
  if (isDeleted) expect(error).toBeUndefined();
  else if (answer !== undefined) expect(error).toMatchObject({ message: 'Nothing was deleted', exitCode: 1 });
  else expect(error).toMatchObject({ message: expect.stringContaining('add --yes to confirm'), exitCode: 2 });
});

test('an import at a terminal redraws one line with its share, total and time left', async () => {
  const file = path.join(folder, 'many.ndjson');
  const row = (i: number) => JSON.stringify({ code: `many-${i}`, payload: { link: 'https://example.com/' } });
  writeFileSync(file, Array.from({ length: 250 }, (_, i) => row(i)).join('\n'));
  const { redrawn, noted } = await called(`link import ${file} --project ${project}`, '');
  expect(redrawn).toEqual([
    expect.stringMatching(/^40 % {2}100 of 250 {2}\d+ s left$/),
    expect.stringMatching(/^80 % {2}200 of 250 {2}\d+ s left$/),
    '',
  ]);
  expect(noted).toEqual([]);
  expect((await called(`link import ${file} --project ${project}`)).redrawn).toEqual([]);
});

test('faults of a link are named as they were typed', async () => {
  const fault = async (line: string) => (await called(`link ${line} --project ${project}`)).error;
  for (const [line, message] of [
    [
      'create example.com/x',
      "URL (did you mean 'https://example.com/x'?): must be an absolute http or https URL",
    ],
    [
      'create --link müller.example:8080?a',
      "--link (did you mean 'https://müller.example:8080?a'?): must be an absolute http or https URL",
    ],
    ['create ftp://example.com', 'URL: must be an absolute http or https URL'],
    ['create mailto:a@example.com', 'URL: must be an absolute http or https URL'],
    ['create summer', 'URL: must be an absolute http or https URL'],
    ['create https://example.com/ --code a.b', '--code: must be'],
    ['create https://example.com/ --tags a,b?', '--tags: must be'],
    ['create https://example.com/ --expires never', '--expires: must be a time'],
    ['create https://example.com/ --android-package a/b', '--android-package: must be'],
    [
      'create https://example.com/ --ios-app-store-fallback apps.apple.com/app/id1',
      "--ios-app-store-fallback (did you mean 'https://apps.apple.com/app/id1'?): must be an absolute http or https URL",
    ],
    [
      'update x --link example.com',
      "--link (did you mean 'https://example.com'?): must be an absolute http or https URL",
    ],
  ]) {
    const error = await fault(line ?? '');
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(
      message?.endsWith(':') ? message : new RegExp(`^${message?.replaceAll(/[?.()]/g, '\\$&')}`),
    );
  }
  const file = path.join(folder, 'body.json');
  writeFileSync(file, JSON.stringify({ code: 'a.b', payload: { link: 'example.com' } }));
  expect(await fault(`create --file ${file}`)).toMatchObject({
    message: expect.stringMatching(/^code: must be .*payload\.link: must be/),
  });
});

test('a project in capitals is not found, but named', async () => {
  const { error } = await called(`link list --project ${project.toUpperCase()}`);
  expect(error).toMatchObject({
    message: `There is no project ${project.toUpperCase()}. Did you mean '${project}'?`,
    exitCode: 1,
  });
  expect((await called('link list --project NOWHERE')).error).toMatchObject({
    message: 'There is no project NOWHERE',
  });
});

test('hosts may have umlauts, capitals and a final dot', async () => {
  const host = `xn--mller-kva.${project}.test`;
  await called(`domain assign Müller.${project}.TEST. --project ${project}`);
  expect((await deployment.stores.domains.find(host))?.project).toBe(project);
  await filled(1);
  for (const written of [host, `MÜLLER.${project}.test`, `${host}.`]) {
    const shown = await called(`link show https://${written}/link-0`);
    expect([shown.error, shown.printed]).toEqual([undefined, expect.stringContaining('link-0')]);
  }
  const file = path.join(folder, 'hosts.csv');
  writeFileSync(file, `slug,url,shorturl\none,https://example.com/,https://brücke.test/one\n`);
  for (const given of ['Brücke.TEST.', 'xn--brcke-lva.test', 'https://brücke.test/'])
    expect((await called(`link import ${file} --project ${project} --host ${given}`)).error).toBeUndefined();
  expect(await deployment.stores.links.count(project)).toBe(2);
  expect((await called(`domain remove müller.${project}.test`)).error).toBeUndefined();
  expect(await deployment.stores.domains.find(host)).toBeUndefined();
  await called(`domain assign ${project}.test.:8443 --project ${project}`);
  expect((await deployment.stores.domains.find(`${project}.test:8443`))?.project).toBe(project);
});

test.each([
  ['https://bad.org/path', 'bad.org'],
  ['bad.org/path', 'bad.org'],
  ['https://BAD.org', 'bad.org'],
  ['bäd.org:8080', 'xn--bd-via.org'],
])('an address as a destination to block names its host: %s', async (given, host) => {
  const { error } = await called(`destination block ${given}`);
  expect(error).toMatchObject({
    message: `'${given}' can't be blocked: name a host. Did you mean '${host}'?`,
    exitCode: 2,
  });
});
