import { visitorKey } from '../../../core/table/analytics-keys.ts';
import { historyKey } from '../../../core/table/history-keys.ts';
import { personKey } from '../../../core/table/member-keys.ts';
import { itemsOf } from '../../../core/table/ranges.ts';
import { updateOf } from '../../../core/table/update.ts';
import { serviceResponse } from '../../../local/base/json-service.ts';
import { createKey } from '../../../ops/projects/keys.ts';
import { deleteProject } from '../../../ops/projects/project-deletion.ts';
import { createProject } from '../../../ops/projects/projects.ts';
import { aLinkDraft, unique } from '../../support/builders.ts';
import { runCommand } from '../../support/command.ts';
import { newFolder } from '../../support/folder.ts';
import { type InterceptedDeployment, interceptedDeployment } from '../../support/intercepted-deployment.ts';
import { fileDeployment, isRedirected, writeFacts } from '../../support/ops-deployment.ts';

const deployment = fileDeployment();
const folder = newFolder();
let id: string;
const intercepted: InterceptedDeployment[] = [];
beforeEach(async () => {
  id = unique('shop');
  await createProject(deployment, { id });
});
afterEach(() => Promise.all(intercepted.splice(0).map((one) => one.stop())));

const silent = () => undefined;
const noPause = async () => undefined;

const through = async (intercept: Parameters<typeof interceptedDeployment>[1]) => {
  const one = await interceptedDeployment(deployment, intercept);
  intercepted.push(one);
  return one;
};

/** A way to create links like that of a call in progress, which read its project when it was admitted. */
const callInProgress = async () => {
  const project = await deployment.stores.projects.get(id);
  return (code: string) =>
    deployment.stores.links.create(aLinkDraft({ project: id, code }), {
      project,
      generateCode: () => 'unused',
    });
};

/** Creates a key that was used at that time. */
const useKey = async (at: Date) => {
  const { apiKey } = await createKey(deployment, { project: id });
  const key = await deployment.stores.apiKeys.get(apiKey);
  if (key) await deployment.stores.apiKeys.markUsed(key, at);
};

const redirects = (code: string) => isRedirected(deployment, { project: id, code });

const isStored = async (code: string) => (await deployment.stores.links.existing(id, [code])).has(code);

const visit = (code: string) =>
  deployment.db.table.update(updateOf(visitorKey(id, code, 'somebody'), { set: { hits: 1 } }));

test("links written before, during and after a project's deletion don't redirect", async () => {
  const create = await callInProgress();
  await create('first');
  expect(await redirects('first')).toBe(true);
  const entry = historyKey({ project: id, code: 'first' }, 'his_1');
  await deployment.db.table.put({ Item: entry });
  const deletion = deleteProject(deployment, id, silent);
  await create('second');
  await deletion;
  await create('third');
  const codes = ['first', 'second', 'third'];
  expect(await Promise.all(codes.map(redirects))).toEqual([false, false, false]);
  expect(await deleteProject(deployment, id, silent)).toMatchObject({ complete: true });
  expect(await isStored('third')).toBe(false);
  expect(await deployment.db.table.query(itemsOf(entry.PK))).toEqual([]);
});

test('a project whose keys are in use is swept once more when its calls must have ended', async () => {
  const create = await callInProgress();
  await useKey(new Date());
  const pauses: number[] = [];
  const lines: string[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
    await create('late');
  };
  const deleted = await deleteProject(deployment, id, (line) => lines.push(line), pause);
  expect(pauses.map((ms) => ms > 20_000 && ms <= 30_000)).toEqual([true]);
  expect(lines).toContainEqual(
    expect.stringMatching(/^Calls may still be in progress: checking once more in \d\d seconds$/),
  );
  expect(deleted.complete).toBe(true);
  expect(await isStored('late')).toBe(false);
});

test('a project with a member is also swept once more, and keeps no members', async () => {
  const { members, sessions, memberKeys, rates } = deployment.stores;
  const other = unique('other');
  await createProject(deployment, { id: other });
  const email = `${unique('ann').toLowerCase()}@example.com`;
  const bob = `${unique('bob').toLowerCase()}@example.com`;
  for (const project of [id, other]) await members.add({ email, project, role: 'editor' }, new Date());
  await members.add({ email: bob, project: id, role: 'viewer' }, new Date());
  const tokenOf = async (one: string) => {
    const begun = await sessions.begin(one, one, new Date());
    return typeof begun === 'string' ? begun : begun.token;
  };
  const [token, his] = [await tokenOf(email), await tokenOf(bob)];
  const person = await sessions.find(token, new Date());
  const made = person && (await sessions.exchange(person, id, new Date()));
  const caller = await memberKeys.admit((made as { key: string }).key, new Date());
  if (!caller) throw new Error('no caller');
  await rates.take(caller, new Date(), 10);

  const create = await callInProgress();
  const pause = jest.fn(() => create('late'));
  expect(await deleteProject(deployment, id, silent, pause)).toMatchObject({ complete: true });
  expect(pause).toHaveBeenCalledTimes(1);
  expect(await isStored('late')).toBe(false);
  // As the gateway admits it from its cache.
  await expect(rates.take(caller, new Date(), 10)).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
  expect(await sessions.find(his, new Date())).toBeUndefined();
  expect(await deployment.db.table.get(personKey(bob))).toBeUndefined();
  expect(await sessions.find(token, new Date())).toMatchObject({ projects: [other] });
});

test('a project whose keys are unused is deleted without a pause', async () => {
  await useKey(new Date(Date.now() - 3 * 24 * 3_600_000));
  const pause = jest.fn(noPause);
  await deleteProject(deployment, id, silent, pause);
  expect(pause).not.toHaveBeenCalled();
});

test('its keys are refused at once, also where a gateway remembers them', async () => {
  const { keyId } = await createKey(deployment, { project: id });
  await deleteProject(deployment, id, silent);
  for (const hours of [0, 1]) {
    const at = new Date(Date.now() + hours * 3_600_000);
    await expect(deployment.stores.rates.take({ keyId: keyId }, at, 10)).rejects.toThrow('API key');
  }
});

test('every page of the table is swept', async () => {
  const { deployment: paged } = await through(({ operation, input }, forward) =>
    operation === 'Scan' ? forward({ ...input, Limit: 1 }) : forward(),
  );
  const create = await callInProgress();
  for (const code of ['one', 'two', 'three']) await create(code);
  expect(await deleteProject(paged, id, silent)).toMatchObject({ complete: true });
  expect(await Promise.all(['one', 'two', 'three'].map(isStored))).toEqual([false, false, false]);
});

test('deletions that the table leaves for later are sent again', async () => {
  const { deployment: busy } = await through(async ({ operation, input }, forward) => {
    if (operation !== 'BatchWriteItem') return forward();
    const [[table = '', requests] = ['', []]] = Object.entries(
      input.RequestItems as Record<string, unknown[]>,
    );
    await forward({ RequestItems: { [table]: requests.slice(0, 1) } });
    return serviceResponse({ UnprocessedItems: requests.length > 1 ? { [table]: requests.slice(1) } : {} });
  });
  const create = await callInProgress();
  await create('one');
  await visit('one');
  const lines: string[] = [];
  const { items } = await deleteProject(busy, id, (line) => lines.push(line));
  // The first sweep took all of them: the second found nothing.
  expect(lines.filter((line) => line.endsWith('items deleted'))).toEqual([`${items} items deleted`]);
  expect(await isStored('one')).toBe(false);
});

test('a deletion during constant writes asks for a repetition, and fails', async () => {
  const { deployment: endless } = await through(async ({ operation }, forward) => {
    if (operation === 'Scan') await visit(unique('code'));
    return forward();
  });
  writeFacts(folder, endless);
  const words = ['project', 'delete', id, '--yes', '--json', '--data', folder];
  const { ok, printed, noted } = await runCommand(words);
  expect(ok).toBe(false);
  expect(JSON.parse(printed)).toMatchObject({ id, complete: false });
  expect(noted.at(-1)).toBe(
    `The project ${id} still gets writes, and no longer redirects: repeat the deletion`,
  );
});
