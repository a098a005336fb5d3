import { clicksOfDay } from '../../dev/showcase/clicks.ts';
import { loadShowcase, showcaseProject } from '../../dev/showcase/load.ts';
import { createProject, showProject } from '../../ops/projects/projects.ts';
import { testAtNight } from '../support/nightly.ts';
import { searchLinks, startDeployment, type TestDeployment } from '../support/ops-deployment.ts';

let deployment: TestDeployment;
beforeEach(async () => {
  deployment = await startDeployment();
});
afterEach(() => deployment.db.stop());

/** Loads until so many days are there; resolves to the output. */
const load = async (days = 365): Promise<string[]> => {
  const said: string[] = [];
  const stop = new AbortController();
  const progress = (text: string) => {
    said.push(text);
    if (text.includes(`of ${days} days`)) stop.abort();
  };
  await loadShowcase(deployment, { progress, signal: stop.signal });
  return said;
};

const clicksIn = async (code: string) =>
  (await deployment.stores.analytics.find(showcaseProject, code)).analytics.clicks;

/** The generator's clicks for a link in the first days. */
const wanted = async (code: string, days: number) => {
  const { createdAt } = await deployment.stores.projects.get(showcaseProject);
  const now = Date.parse(createdAt) / 1000;
  return Array.from({ length: days }, (_, i) => clicksOfDay(showcaseProject, now, i))
    .flat()
    .filter((record) => record.code === code).length;
};

testAtNight('an interrupted showcase goes on, and counts nothing twice', async () => {
  expect(await load(60)).toHaveLength(1);
  expect(await showProject(deployment, showcaseProject)).toMatchObject({
    name: expect.stringContaining('not complete'),
  });
  expect((await searchLinks(deployment, showcaseProject)).length).toBe(20);
  const once = await clicksIn('summer');
  expect(once).toBe(await wanted('summer', 60));
  await load(60);
  expect(await clicksIn('summer')).toBe(once);
  expect((await deployment.stores.apps.list(showcaseProject)).length).toBe(2);
});

test('a showcase that is there stays as it is', async () => {
  await createProject(deployment, { id: showcaseProject, name: 'Ours' });
  expect(await load()).toEqual([]);
  expect(await searchLinks(deployment, showcaseProject)).toEqual([]);
});

testAtNight('a whole year is loaded', async () => {
  const said = await load();
  expect(said.at(-1)).toMatch(/^The project showcase has 20 links and \d\d,\d{3} clicks of a year$/);
  expect(await clicksIn('newsletter')).toBe(await wanted('newsletter', 365));
  expect(await deployment.stores.timeseries.total(showcaseProject)).toBeGreaterThan(20_000);
  const statuses = (await searchLinks(deployment, showcaseProject)).map(({ status }) => status);
  expect(statuses.filter((one) => one === 'PAUSED')).toHaveLength(1);
  expect(statuses.filter((one) => one === 'EXPIRED')).toHaveLength(1);
  expect(await showProject(deployment, showcaseProject)).toMatchObject({ name: 'Showcase' });
});
