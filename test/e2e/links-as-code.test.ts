import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { DynamicLinks } from '../../client/index.ts';
import { applyPlan } from '../../client/program/apply.ts';
import { takeInventory } from '../../client/program/inventory.ts';
import { type WantedLinks, wantedLinks } from '../../client/program/link-file.ts';
import { type PlanOptions, stepsOf } from '../../client/program/plan.ts';
import { newLink, payload } from '../support/api.ts';
import { unique } from '../support/builders.ts';
import { newFolder } from '../support/folder.ts';
import { isNightly } from '../support/nightly.ts';
import { runProgram } from '../support/program.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);
const folder = newFolder();

const fileOf = (content: object | string) => {
  const file = path.join(folder, `${unique('file')}.yaml`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};

const run = (...args: string[]) =>
  runProgram(args, { DLS_URL: stack.facts.apiBaseUrl, DLS_KEY: project.key });

/** A plan or an apply within this process. */
const client = (fetched: typeof fetch = fetch) =>
  new DynamicLinks({ url: stack.facts.apiBaseUrl, key: project.key, fetch: fetched });
const silent = () => undefined;
const defaults: PlanOptions = { adopt: false, orphans: 'keep' };
const wantedOf = (owner: string, links: object): WantedLinks =>
  wantedLinks([{ file: 'a.json', text: JSON.stringify({ owner, links }) }]);
const plan = async (wanted: WantedLinks, options = defaults) =>
  stepsOf(wanted, await takeInventory(client(), wanted, silent), options);
const apply = async (wanted: WantedLinks, options = defaults, service = client()) => {
  const inventory = await takeInventory(service, wanted, silent);
  const steps = stepsOf(wanted, inventory, options);
  return applyPlan(steps, { client: service, wanted, found: inventory.found, options }, silent);
};
const actions = async (wanted: WantedLinks, options = defaults) =>
  Object.fromEntries((await plan(wanted, options)).map(({ code, action }) => [code, action]));

test('files are planned, applied, and then unchanged', async () => {
  const owner = unique('web');
  const [launch, old] = [unique('launch'), unique('old')];
  const file = fileOf(`owner: ${owner}
defaults: { tags: [Web], payload: { campaign: { utm_source: poster } } }
links:
  ${launch}: { name: Launch, expiresAt: "2040-01-01", payload: { link: https://example.com/launch, ios: { app_store_id: "123456789" } } }
  ${old}: { status: PAUSED, payload: { link: https://example.com/ } }
`);
  expect(await run('plan', file)).toMatchObject({
    status: 2,
    out: `+ create ${launch}\n+ create ${old}: begins paused\n2 create, 0 update, 0 pause, 0 activate, 0 unchanged, 0 refused, 0 orphan\n`,
  });
  expect(await run('apply', file)).toMatchObject({ status: 1, err: expect.stringContaining('--yes') });
  expect(await run('apply', file, '--yes')).toMatchObject({
    status: 0,
    out: expect.stringMatching(/\n2 done, 0 failed\n$/),
  });
  expect(await run('plan', file, '--json')).toMatchObject({
    status: 0,
    out: `${JSON.stringify({ counts: { create: 0, update: 0, pause: 0, activate: 0, unchanged: 2, refused: 0, orphan: 0 }, steps: [] })}\n`,
  });
  expect((await project.call('GET', `/links/${launch}`)).body.data).toMatchObject({
    name: 'Launch',
    tags: [`managed:${owner}`, 'web'],
    expiresAt: '2040-01-01T00:00:00.000Z',
  });
  expect((await project.call('GET', `/links/${old}`)).body.data.status).toBe('PAUSED');

  const changed = fileOf({ owner, links: { [old]: { payload: { link: 'https://example.com/new' } } } });
  const again = await run('plan', changed, '--orphans', 'pause');
  expect(again.status).toBe(2);
  expect(again.out).toContain(`- orphan ${launch}: to be paused\n`);
  expect(again.out).toContain(
    `~ update ${old}\n    payload.campaign.utm_source: poster → (none)\n    payload.link: https://example.com/ → https://example.com/new\n`,
  );
  expect((await run('apply', changed, '--yes', '--json', '--orphans', 'pause')).status).toBe(0);
  expect((await project.call('GET', `/links/${launch}`)).body.data.status).toBe('PAUSED');
  expect((await run('plan', changed, '--orphans', 'pause')).status).toBe(0);
});

test('a plan needs only links:read, and asks the service for its refusals', async () => {
  const [owner, taken, blocked, fine] = [unique('web'), unique('taken'), unique('blocked'), unique('fine')];
  const host = `${unique('bad')}.example.org`;
  await stack.admin('destination', 'block', host);
  // The function remembers for half a second which hosts are blocked.
  const blockedLink = { payload: { link: `https://${host}/` } };
  const validity = () => client().links.validate([blockedLink]);
  while ((await validity())[0]?.success);
  await newLink(project, { code: taken, tags: ['managed:other'] });
  const file = fileOf({
    owner,
    links: {
      [taken]: { payload },
      [blocked]: { payload: { link: `https://${host}/` } },
      [fine]: { payload: { ...payload, iosAppId: crypto.randomUUID() } },
    },
  });
  const readers = { DLS_URL: stack.facts.apiBaseUrl, DLS_KEY: await project.keyWith(['links:read']) };
  const { status, out } = await runProgram(['plan', file], readers);
  expect([
    status,
    out
      .split('\n')
      .filter((line) => line.startsWith('! refused'))
      .sort(),
  ]).toEqual([
    2,
    [
      `! refused ${blocked}: payload.link: must not point to a host that the operator of this service has blocked`,
      `! refused ${fine}: payload.iosAppId: no saved iOS app has this id; GET /1.0/mobile-apps lists them`,
      `! refused ${taken}: it belongs to other`,
    ].sort(),
  ]);
});

/** Valid entries as people may write them. */
const entry = fc.record(
  {
    name: fc.constantFrom('Ä name', 'x → y', ' "quoted"'),
    tags: fc.array(fc.constantFrom('A', 'a', 'b/c', 'd:e'), { maxLength: 3 }),
    status: fc.constantFrom('ACTIVE', 'PAUSED'),
    expiresAt: fc.constantFrom('2040-01-01', '2040-01-01T12:00Z', '2040-06-01T12:00:00.25+05:30'),
    payload: fc.record(
      {
        link: fc.constantFrom('https://example.com', 'https://EXAMPLE.com/Ü?q=1#x', payload.link),
        ios: fc.constantFrom({}, { app_store_id: '1' }, { bundleId: 'a.b', min_version: '1' }, null),
        social: fc.constantFrom({ title: 'T' }, { title: 'T', description: 'line\nline' }, {}),
        campaign: fc.constantFrom({ utm_source: 'a b' }, {}, null),
        desktop_fallback: fc.constantFrom('https://example.com/desktop', null),
        query: fc.constantFrom('merge', 'append', 'ignore'),
        interstitial: fc.constantFrom('auto', 'never'),
        rules: fc.constantFrom(
          [],
          [{ name: 'a', countries: ['de', 'AT'], link: 'https://example.com/de' }],
          [
            {
              name: 'b',
              from: '2026-12-01T09:00+01:00',
              split: [{ name: 'x', percent: 50, link: payload.link }],
            },
          ],
        ),
      },
      { requiredKeys: ['link'] },
    ),
  },
  { requiredKeys: ['payload'] },
);

test('a second apply finds everything unchanged, whatever was there before', async () => {
  const owner = unique('web');
  const codes = [unique('one'), unique('two'), unique('three')];
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 3, maxLength: 3 }), async (entries) => {
      const wanted = wantedOf(owner, Object.fromEntries(codes.map((code, index) => [code, entries[index]])));
      expect(await apply(wanted)).toEqual([]);
      expect((await plan(wanted)).filter(({ action }) => action !== 'unchanged')).toEqual([]);
    }),
    { numRuns: isNightly ? 50 : 4 },
  );
});

test('concurrent applies converge even if one is interrupted', async () => {
  const owner = unique('web');
  const codes = Array.from({ length: isNightly ? 12 : 4 }, () => unique('both'));
  const links = (status: string) =>
    Object.fromEntries(codes.map((code) => [code, { payload, name: status, status }]));
  for (const wanted of [wantedOf(owner, links('PAUSED')), wantedOf(owner, links('ACTIVE'))]) {
    let calls = 0;
    const dying = client((address, init) =>
      ++calls > 9 ? Promise.reject(new TypeError('killed')) : fetch(address, init),
    );
    await Promise.all([apply(wanted), apply(wanted), apply(wanted, defaults, dying).catch(silent)]);
    expect([...new Set(Object.values(await actions(wanted)))]).toEqual(['unchanged']);
  }
});
