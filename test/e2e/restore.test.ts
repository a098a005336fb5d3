import { newLink, newProject, type TestProject } from '../support/api.ts';
import { newFolder } from '../support/folder.ts';
import {
  eventually,
  expectEventually,
  type RunningStack,
  startLocalStack,
  tableOf,
} from '../support/local-stack.ts';
import { tablesAt } from '../support/second-table.ts';

let stack: RunningStack;
let tables: ReturnType<typeof tablesAt>;
const data = newFolder();
beforeAll(async () => {
  stack = await startLocalStack(data, '--memory');
  tables = tablesAt(stack.facts.services.dynamodb, stack.facts.services.operatorKey);
});
afterAll(async () => {
  tables.stop();
  await stack.stop();
});

const analyticsOf = async (project: TestProject, code: string) => {
  const { body } = await project.call('GET', `/links/${code}`);
  return body.data?.analytics;
};
const click = (project: TestProject, code: string, visitor: number) =>
  stack.visit(`/${project.id}/${code}`, { 'x-sim-viewer-address': `203.0.113.${visitor}` });
const afterClicks = (project: TestProject, code: string, clicks: number) =>
  eventually(
    () => analyticsOf(project, code),
    (analytics) => analytics?.totalClicks >= clicks,
  );

test('after a back-up, a loss and a restore analytics and history are exact, and stay exact', async () => {
  const project = await newProject(stack);
  const { name: tableName } = tableOf(stack);
  for (const code of ['first', 'second']) await newLink(project, { code });
  for (const visitor of [1, 1, 1, 2, 3]) await click(project, 'first', visitor);
  await click(project, 'second', 1);
  const first = await afterClicks(project, 'first', 5);
  const second = await afterClicks(project, 'second', 1);
  expect([first.totalClicks, first.uniqueClicks]).toEqual([5, 3]);

  const renamed = (name: string) => project.call('PATCH', '/links/first', { name });
  const history = (entries: number) =>
    eventually(
      async () => (await project.call('GET', '/history?code=first')).body.data,
      (data) => data.length === entries,
    );
  await renamed('Before');
  const entries = await history(2);

  await tables.copy(tableName, 'restored');
  await tables.remove(tableName);
  const done = await stack.admin('restore', '--from', 'restored');
  expect(done).toMatchObject({ from: 'restored', kept: 0 });
  expect(await stack.admin('restore', '--from', 'restored')).toMatchObject({ restored: 0 });

  // The gateway refused the key while its item was missing, and caches that for a moment.
  await expectEventually(() => project.call('GET', '/links/first')).toMatchObject({ status: 200 });
  expect(await analyticsOf(project, 'first')).toEqual(first);
  expect((await click(project, 'first', 4)).status).toBe(302);
  // All visitors are new again; the record of a restored visitor would precede this click in the stream.
  expect((await click(project, 'first', 1)).status).toBe(302);
  const later = await afterClicks(project, 'first', 7);
  expect([later.totalClicks, later.uniqueClicks]).toEqual([7, 5]);
  await click(project, 'second', 5);
  expect((await afterClicks(project, 'second', 2)).totalClicks).toBe(second.totalClicks + 1);
  const listed = (await project.call('GET', '/links')).body;
  expect([listed.data.length, listed.pagination.total]).toEqual([2, 2]);
  // The reader has passed the restore's writes once a later change is there.
  await renamed('After');
  expect((await history(3)).slice(1)).toEqual(entries);
});
