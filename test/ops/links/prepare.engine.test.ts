import { analyticsItemsOf } from '../../../core/analytics/analytics-items.ts';
import type { Table } from '../../../core/table/table.ts';
import { editLink } from '../../../ops/links/link-edits.ts';
import { showLink } from '../../../ops/links/links.ts';
import { prepareLink } from '../../../ops/links/prepare.ts';
import { aClickRecord } from '../../support/builders.ts';
import { fileDeployment, projectIn, storeLink } from '../../support/ops-deployment.ts';

const deployment = fileDeployment();
let project: string;
beforeEach(async () => {
  project = await projectIn(deployment);
  await storeLink(deployment, { project, code: 'launch', createdAt: new Date().toISOString() });
});

const said: string[] = [];
type Options = Omit<Parameters<typeof prepareLink>[1], 'project' | 'code' | 'visits'>;
const prepare = (visits: number, options: Options = {}) =>
  prepareLink(deployment, { project, code: 'launch', visits, ...options }, (line) => said.push(line));
const groupsOf = async () => (await showLink(deployment, project, 'launch')).groups;

test('a link is spread for the expected visits, and never less', async () => {
  expect(await prepare(500)).toEqual({ code: 'launch', visits: 500, groups: 1 });
  expect(await groupsOf()).toBeUndefined();
  expect(await prepare(10_000)).toEqual({ code: 'launch', visits: 10_000, groups: 128 });
  expect(await groupsOf()).toBe(128);
  expect(await prepare(3000)).toEqual({ code: 'launch', visits: 3000, groups: 128 });
  expect(await groupsOf()).toBe(128);
});

test('an edit keeps it', async () => {
  await prepare(10_000);
  await editLink(deployment, { project, code: 'launch' }, { payload: { link: 'https://example.com/other' } });
  expect(await groupsOf()).toBe(128);
});

test('a link with clicks needs consent, unless nothing changes', async () => {
  const click = aClickRecord({ project, code: 'launch', at: Math.floor(Date.now() / 1000) }, 1);
  for (const item of analyticsItemsOf({ shard: 'shard', records: [click] }))
    await deployment.stores.analytics.add(item);
  await expect(prepare(10_000)).rejects.toThrow('Accept that with --recount-visitors');
  expect(await groupsOf()).toBeUndefined();
  expect(await prepare(600)).toMatchObject({ groups: 1 });
  expect(await prepare(10_000, { recountVisitors: true })).toMatchObject({ groups: 128 });
  expect(await prepare(9000)).toMatchObject({ groups: 128 });
});

describe('with a second region', () => {
  const groupsThere = { value: 1 };
  let isAway = false;
  const copy = {
    get: async () => {
      if (isAway) throw new Error('connect ETIMEDOUT');
      return { groups: groupsThere.value };
    },
  } as unknown as Table;
  const standby = async () => ({ copy });
  beforeEach(() => {
    isAway = false;
    groupsThere.value = 1;
  });

  test('it ends once that has the groups', async () => {
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
      if (pauses === 3) groupsThere.value = 128;
    };
    expect(await prepare(10_000, { standby, pause })).toMatchObject({ groups: 128 });
    expect(pauses).toBe(3);
  });

  test('a second region that never gets the groups fails it', async () => {
    const never = prepare(10_000, { standby, pause: async () => undefined });
    await expect(never).rejects.toThrow("--without-standby' prepares only the first region");
  });

  test("a second region that can't be reached fails it before anything changes", async () => {
    isAway = true;
    await expect(prepare(10_000, { standby })).rejects.toThrow(
      "The second region can't be reached: connect ETIMEDOUT. '--without-standby' prepares only the first region",
    );
    const unknown = prepare(10_000, { standby: () => Promise.reject(new Error('no stack')) });
    await expect(unknown).rejects.toThrow("The second region can't be reached: no stack");
    expect(await groupsOf()).toBeUndefined();
  });
});
