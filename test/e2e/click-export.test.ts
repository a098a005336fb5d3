import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import path from 'node:path';
import { newMobileApp } from '../../core/apps/mobile-app.ts';
import { readParquetRows } from '../../local/testing/parquet-rows.ts';
import { storesOf } from '../support/api.ts';
import { aLinkDraft, aProject, unique } from '../support/builders.ts';
import { contextFlags, eventually, tenantsContext } from '../support/local-stack.ts';
import { withoutRepeats } from '../support/parquet-rows.ts';
import { ownStack } from '../support/stack-fixtures.ts';
import { userAgents } from '../support/user-agents.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

// On disk: without a data folder no file is written.
const stack = ownStack(...contextFlags(tenantsContext), '-c', 'localMemoryMs=500');

/** Blocked before the first visit: the redirect remembers for a while what is blocked. */
const blocked = `${unique('evil')}.example.com`;
beforeAll(() => stack.admin('destination', 'block', blocked));

const rowsOf = async (project: string) => {
  const rows = await readParquetRows(path.join(stack.data, 'export/clicks'));
  return withoutRepeats(rows).filter((row) => row.project === project);
};

test('with export=on each click is one row of a Parquet file, and there are no other rows', async () => {
  const code = unique('code');
  const payload = { link: 'https://example.com/landing' };
  expect((await stack.api('POST', '/links', { body: { code, payload } })).status).toBe(201);
  const before = Math.floor(Date.now() / 1000) * 1000;
  await stack.visit(`/${code}`, { 'User-Agent': userAgents.iphone, 'x-sim-viewer-country': 'FR' });
  await stack.visit(`/${code}`, { 'User-Agent': 'curl/8.5.0' });
  await stack.visit(`/${code}?qr`, { 'User-Agent': userAgents.android, referer: 'https://news.example/a' });
  await stack.visit(`/${code}?qr`, { 'User-Agent': userAgents.android, referer: 'https://news.example/a' });
  const rows = await eventually(
    () => rowsOf('demo'),
    ({ length }) => length >= 3,
  );
  const shown = rows.map((row) => [row.platform, row.country, row.referrer, row.trigger, row.is_unique]);
  expect(shown.sort()).toEqual([
    ['android', 'other', 'news.example', 'qr', false],
    ['android', 'other', 'news.example', 'qr', true],
    ['ios', 'FR', 'direct', 'link', true],
  ]);
  for (const row of rows) {
    expect(row).toMatchObject({ project: 'demo', code, clicks: 1, day: row.day });
    expect(Number(row.clicked_at)).toBeGreaterThanOrEqual(before);
    expect(Number(row.clicked_at)).toBeLessThanOrEqual(Date.now());
  }
  const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
  expect(text).not.toMatch(/127\.0\.0\.1|Mozilla/);
});

describe('a visitor who gets 404', () => {
  const { iphone, android, desktop } = userAgents;
  const social = 'facebookexternalhit/1.1';
  const everybody = [desktop, iphone, android, social, 'curl/8.5.0'];
  const now = new Date();
  const evil = `https://${blocked}/login`;
  const [own, foreign] = [`go.${unique('own')}.example.com`, `go.${unique('foreign')}.example.com`];

  type Stores = ReturnType<typeof storesOf>;
  interface Way {
    readonly payload?: object;
    readonly fields?: object;
    /** What happens to the link before its visits. */
    readonly after?: (stores: Stores, project: string, code: string) => Promise<unknown>;
    /** For whom there is nothing. @default everybody */
    readonly agents?: readonly string[];
    readonly isSuspended?: true;
    readonly host?: string;
    readonly path?: (code: string) => string;
  }

  /** Every way to 404 of a link that nobody stopped, for which the debug page answers. */
  const ofLiveLinks: Readonly<Record<string, Way>> = {
    'a blocked destination': { payload: { link: evil } },
    'a blocked fallback for desktops': {
      payload: { desktop_fallback: evil },
      agents: [desktop, social, 'curl/8.5.0'],
    },
    'a blocked store': { payload: { ios: { app_store_fallback: evil } }, agents: [iphone] },
    'a blocked store of a saved app': { payload: { androidAppId: 'evil' }, agents: [android] },
    'a rule with a blocked address': {
      payload: { rules: [{ name: 'phones', platforms: ['ios', 'android'], link: evil }] },
      agents: [iphone, android],
    },
    'a split with a blocked address': {
      payload: { rules: [{ name: 'all', split: [{ name: 'a', percent: 100, link: evil }] }] },
      agents: [iphone, android, desktop],
    },
    'a blocked picture': { payload: { social: { title: 'Bank', image: evil } }, agents: [social] },
    "a page's blocked destination": { payload: { link: evil, interstitial: 'always' } },
    'an address that is refused today': { payload: { link: 'http://10.0.0.1/' } },
    "the service's own host": {
      payload: { link: `https://${own}/loop` },
      host: own,
      path: (code) => `/${code}`,
    },
    'a rule that leads to nobody and the host itself': {
      payload: {
        link: `https://${own}/loop`,
        rules: [{ name: 'all', platforms: ['web'], link: `https://${own}/` }],
      },
      host: own,
      path: (code) => `/${code}`,
    },
  };

  /** Every other way. */
  const ofOthers: Readonly<Record<string, Way>> = {
    'a paused link': {
      after: ({ links }, project, code) => links.setStatus(project, code, 'PAUSED', { now }),
    },
    'a deleted link': { after: ({ links }, project, code) => links.delete(project, code, { now }) },
    'a blocked link': { after: ({ links }, project, code) => links.block(project, code, { now }) },
    'an expired link': { fields: { expiresAt: '2026-06-01T12:00:00.000Z' } },
    "a suspended project's link": { isSuspended: true },
    "a link on another project's host": { host: foreign },
    'a path that is none': { path: (code) => `/${code}/no/more` },
    'an unknown file': { path: (code) => `/${code}/other.json` },
  };

  /** By `http`, which lets a request name any host. */
  const visit = (where: string, headers: Record<string, string>, method = 'GET', host?: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const url = new URL(where, stack.facts.shortAddress);
      const sent = { ...headers, ...(host !== undefined && { host }) };
      get(url, { method, headers: sent }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      }).on('error', reject);
    });

  test('is in no figure, excluded visit, event or row', async () => {
    const stores = storesOf(stack);
    const [project, suspended] = [aProject(), aProject()];
    const probe = aProject();
    for (const one of [project, suspended, probe]) await stores.projects.create(one);
    const receiver = await startReceiver();
    await stack.admin('webhook', 'create', receiver.url, '--project', project.id, '--events', 'link.clicked');
    await stack.admin('domain', 'assign', own, '--project', project.id);
    await stack.admin('domain', 'assign', foreign, '--project', suspended.id);
    await stack.admin('project', 'suspend', suspended.id);
    await stack.admin('project', 'suspend', probe.id);
    await stores.apps.create(project.id, {
      ...newMobileApp('evil', { name: 'App', platform: 'ANDROID', packageName: 'com.evil' }, now),
      playStoreFallback: evil,
    });
    const publish = async ({ payload, fields, after, isSuspended, path }: Way) => {
      const owner = isSuspended ? suspended : project;
      const { code } = await stores.links.create(
        aLinkDraft({
          project: owner.id,
          payload: { link: 'https://example.com/landing', ...payload },
          ...fields,
        }),
        { project: owner, generateCode: () => unique('code') },
      );
      await after?.(stores, owner.id, code);
      return { project: owner.id, code, where: path?.(code) ?? `/${owner.id}/${code}` };
    };
    // Earlier visits may have left the redirect a list of suspended projects that is half a second old.
    const { code: probed } = await stores.links.create(
      aLinkDraft({ project: probe.id, payload: { link: 'https://example.com/landing' } }),
      { project: probe, generateCode: () => unique('code') },
    );
    await eventually(
      () => visit(`/${probe.id}/${probed}`, { 'User-Agent': iphone }),
      (status) => status === 404,
    );
    const published = async (ways: typeof ofOthers) =>
      Promise.all(Object.entries(ways).map(async ([name, way]) => ({ name, way, ...(await publish(way)) })));
    const [live, others] = [await published(ofLiveLinks), await published(ofOthers)];
    const all = [...live, ...others];

    const statuses = async ({ name, way: { agents = everybody, host }, where }: (typeof all)[number]) => {
      const asked = agents.flatMap((agent) => [
        visit(where, { 'User-Agent': agent }, 'GET', host),
        visit(where, { 'User-Agent': agent, 'Sec-Purpose': 'prefetch' }, 'GET', host),
        visit(where, { 'User-Agent': agent }, 'HEAD', host),
      ]);
      return [name, [...new Set(await Promise.all(asked))]];
    };
    expect(await Promise.all(all.map(statuses))).toEqual(all.map(({ name }) => [name, [404]]));
    const counted = await publish({});
    expect(await visit(counted.where, { 'User-Agent': iphone })).toBe(302);

    // The table's stream keeps the order, so nothing of the visits before is still to come.
    const [{ data }] = await receiver.events('link.clicked');
    receiver.stop();
    expect(data.clicks).toMatchObject([{ code: counted.code }]);
    const rows = await eventually(
      () => rowsOf(project.id),
      ({ length }) => length > 0,
    );
    expect(rows).toMatchObject([{ code: counted.code }]);
    expect(await rowsOf(suspended.id)).toEqual([]);
    expect(await stores.timeseries.total(project.id)).toBe(1);
    const figuresOf = async ({ name, project, code }: (typeof all)[number]) => {
      const { figures, excluded } = await stores.figures.find(project, code);
      return { name, clicks: figures.clicks, excluded };
    };
    const nothing = all.map(({ name }) => ({ name, clicks: 0, excluded: {} }));
    expect(await Promise.all(all.map(figuresOf))).toEqual(nothing);

    const looks = live.map(({ where, way: { host } }) =>
      visit(`${where}?d=1`, { 'User-Agent': desktop }, 'GET', host),
    );
    expect(await Promise.all(looks)).toEqual(live.map(() => 200));
    expect(await Promise.all(live.map(figuresOf))).toEqual(
      live.map(({ name }) => ({ name, clicks: 0, excluded: { debug: 1 } })),
    );
  });
});

test('events go to a bus that the deployment names, and to no other', async () => {
  const admin = (verb: string, ...args: string[]) =>
    stack.admin('webhook', verb, ...args, '--project', 'demo');
  const webhook = await admin('create', 'eventbridge:orders');
  expect(webhook).not.toHaveProperty('secret');
  await expect(admin('create', 'eventbridge:others')).rejects.toThrow("doesn't name the bus 'others'");
  await expect(admin('rotate', webhook.id)).rejects.toThrow('has no secret');
  const code = unique('code');
  await stack.api('POST', '/links', { body: { code, payload: { link: 'https://example.com/' } } });
  const lines = () => {
    try {
      return readFileSync(path.join(stack.data, 'events/orders.ndjson'), 'utf8').trim().split('\n');
    } catch {
      return [];
    }
  };
  const [line = ''] = await eventually(
    async () => lines(),
    ({ length }) => length > 0,
  );
  const entry = JSON.parse(line);
  expect(entry).toMatchObject({
    Source: 'dynamic-links',
    DetailType: 'link.created',
    EventBusName: 'orders',
  });
  expect(JSON.parse(entry.Detail)).toMatchObject({
    id: expect.stringMatching(/^evt_/),
    type: 'link.created',
    timestamp: expect.any(String),
    data: { project: 'demo', link: { code } },
  });
  expect(await admin('test', webhook.id)).toMatchObject({ status: 200 });
});
