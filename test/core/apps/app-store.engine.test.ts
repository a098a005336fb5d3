import { appStore } from '../../../core/apps/app-store.ts';
import { newMobileApp } from '../../../core/apps/mobile-app.ts';
import { limits } from '../../../core/base/limits.ts';
import { openStores } from '../../../core/stores.ts';
import { appCountKey } from '../../../core/table/keys.ts';
import { aLinkDraft, unique } from '../../support/builders.ts';
import { fileProject, fileTable } from '../../support/engine.ts';

const db = fileTable();
const project = fileProject(db);

const now = new Date('2026-03-01T00:00:00.000Z');
const apps = () => appStore(db.table);
const anApp = () =>
  newMobileApp(unique('app'), { name: 'App', platform: 'IOS', bundleId: 'com.example' }, now);
const counted = async () => (await db.table.get(appCountKey(project.id)))?.n;
const full = { code: 'VALIDATION_ERROR', message: expect.stringContaining('1000') };

/** Sets the number of apps that the project has already. */
const having = (n: number) => db.table.transact([{ Put: { Item: { ...appCountKey(project.id), n } } }]);

describe('the limit of apps', () => {
  test('is never exceeded by concurrent creations', async () => {
    await having(limits.appsPerProject - 3);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => apps().create(project.id, anApp())),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toMatchObject(full);
    expect([await counted(), (await apps().list(project.id)).length]).toEqual([limits.appsPerProject, 3]);
  });

  test('counts apps saved with a link', async () => {
    await having(limits.appsPerProject - 1);
    const link = (saved: number) =>
      openStores(db.table).links.create(aLinkDraft({ project: project.id }), {
        project,
        apps: Array.from({ length: saved }, anApp),
      });
    await expect(link(2)).rejects.toMatchObject(full);
    const { code } = await link(1);
    await expect(link(1)).rejects.toMatchObject(full);
    const update = openStores(db.table).links.update(
      { project: project.id, code },
      async (stored) => ({ link: stored, apps: [anApp()] }),
      { now },
    );
    await expect(update).rejects.toMatchObject(full);
    expect((await apps().list(project.id)).length).toBe(1);
    expect(await counted()).toBe(limits.appsPerProject);
  });

  test('differs from a code that is taken', async () => {
    await having(limits.appsPerProject);
    const draft = aLinkDraft({ project: project.id });
    await openStores(db.table).links.create(draft, { project });
    const again = openStores(db.table).links.create(draft, { project, apps: [anApp()] });
    await expect(again).rejects.toMatchObject({ code: 'CODE_ALREADY_EXISTS' });
  });

  test('frees one place for each deleted app', async () => {
    await having(limits.appsPerProject - 1);
    const app = anApp();
    await apps().create(project.id, app);
    await expect(apps().create(project.id, anApp())).rejects.toMatchObject(full);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 4 }, () => apps().delete(project.id, app.id)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await counted()).toBe(limits.appsPerProject - 1);
  });
});

test('an update during a delete does not restore the app', async () => {
  const app = anApp();
  await apps().create(project.id, app);
  await apps().delete(project.id, app.id);
  const update = apps().update(project.id, app.id, { change: { name: 'Back' }, now });
  await expect(update).rejects.toMatchObject({ code: 'MOBILE_APP_NOT_FOUND' });
  expect(await apps().list(project.id)).toEqual([]);
});

test('existing apps are found by ids, with their platforms', async () => {
  const [one, two] = [anApp(), anApp()];
  await apps().create(project.id, one);
  await apps().create(project.id, two);
  const named = [one.id, 'gone', one.id, two.id];
  expect(await apps().existing(project.id, named)).toEqual(
    new Map([
      [one.id, one.platform],
      [two.id, two.platform],
    ]),
  );
  expect(await apps().existing(project.id, [])).toEqual(new Map());
});
