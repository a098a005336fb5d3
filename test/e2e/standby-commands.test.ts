import { isCopied } from '../../core/table/copied-kinds.ts';
import { linkKey, projectKey, suspendedKey } from '../../core/table/keys.ts';
import { localDeployment } from '../../ops/deployment/deployment.ts';
import { runChecks } from '../../ops/smoke/run.ts';
import { openSession } from '../../ops/smoke/session.ts';
import { standbyCheck } from '../../ops/smoke/standby-check.ts';
import { newLink, newProject } from '../support/api.ts';
import { openWholeTable } from '../support/lean-table.ts';
import { expectEventually } from '../support/local-stack.ts';
import { describeAtNight } from '../support/nightly.ts';
import { ofFile } from '../support/of-file.ts';
import { tablesAt } from '../support/second-table.ts';
import { ownStack } from '../support/stack-fixtures.ts';

describeAtNight('commands on a second region', () => {
  const stack = ownStack('--standby');
  const tables = ofFile(() => tablesAt(stack.facts.services.dynamodb, stack.facts.services.operatorKey));
  const copy = () => {
    const { dynamodb, operatorKey } = stack.facts.services;
    return openWholeTable(dynamodb, { name: stack.facts.outputs.CopyTableName ?? '', operatorKey });
  };
  const copiedIn = async (output: 'TableName' | 'CopyTableName') =>
    (await tables.itemsOf(stack.facts.outputs[output] ?? ''))
      .filter(({ PK, SK }) => isCopied({ PK: PK?.S ?? '', SK: SK?.S ?? '' }))
      .map((item) =>
        JSON.stringify(item, (_, value) =>
          value instanceof Object && !Array.isArray(value)
            ? Object.fromEntries(Object.entries(value).sort())
            : value,
        ),
      )
      .sort();
  const isEqual = async () => expect(await copiedIn('CopyTableName')).toEqual(await copiedIn('TableName'));

  test('sync corrects a damaged copy, and can be repeated', async () => {
    const project = await newProject(stack);
    const { code } = await newLink(project);
    await expectEventually(() => copy().get(linkKey(project.id, code))).toBeDefined();
    await copy().delete({ Key: linkKey(project.id, code) });
    await copy().put({ Item: { ...projectKey(project.id), id: project.id, name: 'Older' } });
    await copy().put({ Item: suspendedKey('gone') });
    expect(await stack.admin('standby', 'sync')).toEqual({ copied: 2, removed: 1 });
    await isEqual();
    expect(await stack.admin('standby', 'sync')).toEqual({ copied: 0, removed: 0 });
  });

  test('sync ends while clients change links, and loses no change', async () => {
    const project = await newProject(stack);
    const codes: string[] = [];
    for (let round = 0; round < 20; round += 1) codes.push((await newLink(project)).code);
    for (const code of codes) await copy().delete({ Key: linkKey(project.id, code) });
    const changes = codes.map(async (code, index) => {
      const link = `https://example.com/changed/${index}`;
      await project.call('PATCH', `/links/${code}`, { payload: { link } });
      if (index % 3 === 0) await project.call('DELETE', `/links/${code}`);
    });
    const [synced] = await Promise.all([stack.admin('standby', 'sync'), ...changes]);
    expect(synced.removed).toBe(0);
    await stack.admin('standby', 'sync');
    await isEqual();
  });

  test('link prepare ends when the copy has the groups, and a restore when it is equal', async () => {
    const project = await newProject(stack);
    const { code } = await newLink(project);
    const words = ['link', 'prepare', code, '--project', project.id];
    expect(await stack.admin(...words, '--visits', '5000')).toMatchObject({ groups: 64 });
    expect(await copy().get(linkKey(project.id, code))).toMatchObject({ groups: 64 });
    const from = 'restored';
    await tables.copy(stack.facts.outputs.TableName ?? '', from);
    const { dynamodb, operatorKey } = stack.facts.services;
    await openWholeTable(dynamodb, { name: stack.facts.outputs.TableName ?? '', operatorKey }).delete({
      Key: linkKey(project.id, code),
    });
    expect(await stack.admin('restore', '--from', from)).toMatchObject({
      restored: 1,
      standby: { copied: expect.any(Number), removed: 0 },
    });
    expect(await copy().get(linkKey(project.id, code))).toMatchObject({ groups: 64 });
  });

  test('the smoke test asks the second region', async () => {
    const session = await openSession(await localDeployment(stack.data), { pauseSeconds: 0 });
    const [outcome] = await runChecks([standbyCheck], session);
    expect(outcome).toMatchObject({
      result: 'ok',
      detail: expect.stringMatching(/^a new link after \d+ s; \d+ s behind$/),
    });
  });
});
