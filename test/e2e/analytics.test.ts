import { userAgents } from '../../ops/base/user-agents.ts';
import { newLink, newProject } from '../support/api.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);
const tagged = {
  tags: ['sale', 'summer'],
  payload: { link: 'https://example.com/', campaign: { utm_campaign: 'summer', utm_source: 'mail' } },
};
let busy: string;
let quiet: string;
beforeAll(async () => {
  [{ code: busy }, { code: quiet }] = await Promise.all([newLink(project, tagged), newLink(project)]);
  await visit(busy, '', { 'User-Agent': userAgents.iphone, referer: 'https://www.News.example/today' });
  await visit(busy, '', { 'User-Agent': userAgents.iphone, referer: 'https://www.News.example/today' });
  await visit(busy, '?qr&utm_campaign=Poster+1', {
    'User-Agent': userAgents.android,
    'x-sim-viewer-country': 'DE',
  });
  await visit(busy, '', { 'User-Agent': 'curl/8.5.0' });
  await visit(quiet, '', { 'User-Agent': userAgents.desktop, referer: 'not an address' });
  await until(async () => (await ask('')).clicks === 4);
  await until(async () => (await ask(`?code=${busy}&interval=all`)).clicks === 3);
});

const visit = (code: string, query: string, headers: Record<string, string>) =>
  stack.visit(`/${project.id}/${code}${query}`, headers);

/** Waits for analytics to include the clicks; nothing else here needs to wait. */
const until = async (isSo: () => Promise<boolean>) => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
};

const get = (query: string) => project.call('GET', `/analytics${query}`);
const ask = async (query: string) => {
  const { status, body } = await get(query);
  expect([query, status, body.success]).toEqual([query, 200, true]);
  expect(new Date(body.timestamp).toISOString()).toBe(body.timestamp);
  return body.data;
};

test('counts clicks and unique clicks of a link and of its project', async () => {
  expect(await ask(`?code=${busy}`)).toEqual({ clicks: 3, uniqueClicks: 2 });
  expect(await ask('?interval=24h')).toEqual({ clicks: 4, uniqueClicks: 3 });
  expect(await ask('?event=opens')).toEqual({ opens: 0, firstOpens: 0 });
});

test('groups clicks by common values of visitors, largest first', async () => {
  const split = (groupBy: string) => ask(`?code=${busy}&interval=24h&groupBy=${groupBy}`);
  expect(await split('platforms')).toEqual([
    { platform: 'ios', clicks: 2 },
    { platform: 'android', clicks: 1 },
  ]);
  expect(await split('countries')).toEqual([
    { country: 'other', clicks: 2 },
    { country: 'DE', clicks: 1 },
  ]);
  expect(await split('referrers')).toEqual([
    { referrer: 'news.example', clicks: 2 },
    { referrer: 'direct', clicks: 1 },
  ]);
  expect(await split('browsers')).toEqual([
    { browser: 'safari', clicks: 2 },
    { browser: 'chrome', clicks: 1 },
  ]);
  expect(await split('os')).toEqual([
    { os: 'ios', clicks: 2 },
    { os: 'android', clicks: 1 },
  ]);
  expect(await split('triggers')).toEqual([
    { trigger: 'link', clicks: 2 },
    { trigger: 'qr', clicks: 1 },
  ]);
  expect(await ask('?groupBy=referrers')).toContainEqual({ referrer: 'other', clicks: 1 });
});

test('groups clicks by campaign, source and tag', async () => {
  expect(await ask(`?code=${busy}&groupBy=campaigns`)).toEqual([
    { campaign: 'summer', clicks: 2 },
    { campaign: 'Poster 1', clicks: 1 },
  ]);
  expect(await ask('?groupBy=sources,tags')).toEqual({
    sources: [
      { source: 'mail', clicks: 3 },
      { source: 'none', clicks: 1 },
    ],
    tags: [
      { tag: 'sale', clicks: 3 },
      { tag: 'summer', clicks: 3 },
    ],
  });
});

test('filters clicks over time by one value of a field, or by a tag', async () => {
  const clicksOf = async (query: string) => {
    const buckets: { start: string; clicks: number }[] = await ask(`?groupBy=filtered&interval=7d&${query}`);
    expect(buckets).toHaveLength(7);
    expect(Object.keys(buckets[0] ?? {})).toEqual(['start', 'clicks']);
    expect(buckets.slice(0, -1).every(({ clicks }) => clicks === 0)).toBe(true);
    return buckets.at(-1)?.clicks;
  };
  expect(await clicksOf(`code=${busy}&filter=country:DE`)).toBe(1);
  expect(await clicksOf(`code=${busy}&filter=campaign:Poster%201`)).toBe(1);
  expect(await clicksOf(`code=${quiet}&filter=platform:ios`)).toBe(0);
  expect(await clicksOf(`code=${busy}&filter=rule:none`)).toBe(3);
  expect(await clicksOf('filter=platform:ios')).toBe(2);
  // Clicks without a source aren't stored under a name.
  expect(await clicksOf('filter=source:none')).toBe(1);
  expect(await clicksOf('filter=tag:sale')).toBe(3);
  expect(await clicksOf('filter=tag:a:b')).toBe(0);
});

test('shows excluded visits by reason', async () => {
  await until(async () => (await ask(`?code=${busy}&groupBy=excluded`)).length > 0);
  expect(await ask(`?code=${busy}&groupBy=excluded`)).toEqual([{ reason: 'bot', visits: 1 }]);
  expect(await ask(`?code=${quiet}&groupBy=excluded`)).toEqual([]);
});

test('shows every bucket of a range, and nothing before the first link', async () => {
  const hours = await ask('?groupBy=timeseries&interval=24h');
  expect(hours).toHaveLength(24);
  const today = new Date().toISOString().slice(0, 10);
  const days = await ask('?groupBy=timeseries&interval=7d');
  expect(days).toHaveLength(7);
  expect(days.at(-1)).toEqual({ start: `${today}T00:00:00.000Z`, clicks: 4, uniqueClicks: 3 });
  expect(days[0]).toMatchObject({ clicks: 0, uniqueClicks: 0 });
  expect(await ask('?groupBy=timeseries&interval=all&granularity=day')).toEqual([days.at(-1)]);
  expect((await ask('?groupBy=timeseries&event=opens'))[0]).toMatchObject({ opens: 0, firstOpens: 0 });
  const start = new Date(Date.now() - 999 * 86_400_000).toISOString().slice(0, 10);
  expect(await ask(`?groupBy=timeseries&start=${start}&granularity=day`)).toHaveLength(1000);
  expect(await ask(`?groupBy=count&start=${today}&end=${today}`)).toEqual({ clicks: 4, uniqueClicks: 3 });
});

test('lists the busiest existing links; the project keeps the clicks of deleted ones', async () => {
  const { code } = await newLink(project);
  expect(await ask('?groupBy=links')).toEqual([
    { code: busy, clicks: 3 },
    { code: quiet, clicks: 1 },
  ]);
  await visit(code, '', { 'User-Agent': userAgents.desktop });
  await until(async () => (await ask('')).clicks === 5);
  await project.call('DELETE', `/links/${code}`);
  expect(await ask('?groupBy=links')).toHaveLength(2);
  expect((await ask('')).clicks).toBe(5);
  expect(await get(`?code=${code}`)).toMatchObject({ status: 404 });
});

test('answers several groupings in one call, each as in a separate call', async () => {
  await until(async () => (await ask(`?code=${busy}&groupBy=excluded`)).length > 0);
  const ofLink = ['count', 'timeseries', 'platforms', 'countries', 'campaigns', 'rules', 'excluded'];
  const ofProject = ['links', 'tags', 'sources', 'os', 'triggers', 'timeseries', 'count'];
  for (const range of [
    '&interval=24h',
    '&interval=7d&granularity=hour',
    '&interval=all',
    '&start=2026-01-15',
  ])
    for (const [owner, names] of [
      [`code=${busy}`, ofLink],
      ['', ofProject],
      ['event=opens', ['count', 'timeseries']],
    ] as const) {
      const separate = names.map(async (name) => {
        const query = name === 'excluded' ? `?${owner}` : `?${owner}${range}`;
        return [name, await ask(`${query}&groupBy=${name}`)];
      });
      expect(await ask(`?${owner}${range}&groupBy=${names.join()}`)).toEqual(
        Object.fromEntries(await Promise.all(separate)),
      );
    }
});

test.each([
  ['groupBy=hosts', /^groupBy: must be count, timeseries/],
  ['groupBy=count,', /^groupBy: must be count/],
  ['groupBy=,', /^groupBy: must be count/],
  ['groupBy=count,cities', /^groupBy: must be count/],
  ['groupBy=count,count', /^groupBy: must not contain duplicates/],
  ['groupBy=count,links&code=x', /^code: can't be given with groupBy=links/],
  ['groupBy=tags&code=x', /^code: can't be given with groupBy=tags/],
  ['groupBy=count,platforms&event=opens', /^event: supports opens only with/],
  ['groupBy=filtered', /^filter: is required/],
  ['groupBy=count&filter=country:DE', /^filter: is only for groupBy=filtered/],
  ['groupBy=filtered&filter=city:Bonn', /^filter: must be one of platform, /],
  ['groupBy=filtered&filter=country:', /^filter: must be one of platform, /],
  ['groupBy=filtered&filter=tag:sale&code=x', /^code: can't be given with groupBy=tags/],
  ['groupBy=filtered&filter=rule:north', /^code: is required/],
  ['groupBy=filtered&filter=country:DE&event=opens', /^event: supports opens only with/],
  ['groupBy=excluded', /^code: /],
  ['groupBy=count,excluded', /^code: /],
  ['groupBy=excluded&code=x&interval=7d', /^interval: /],
  ['groupBy=timeseries&start=2020-01-01&granularity=day', /^granularity: /],
  ['interval=2d', /^interval: must be/],
  ['start=yesterday', /^start: must be/],
  ['start=2026-11-02&end=2026-11-01', /^start: must be before end/],
  ['since=2026-01-01', /^since: is unknown; use start/],
])('%s is refused with a reason', async (query, message) => {
  const { status, body } = await get(`?${query}`);
  expect([status, body.error.code]).toEqual([400, 'INVALID_PARAMETERS']);
  expect(body.error.message).toMatch(message);
});

test('works for a project without links', async () => {
  const empty = await newProject(stack);
  const { body } = await empty.call('GET', '/analytics?groupBy=timeseries&interval=all');
  expect(body.data).toEqual([]);
  expect((await empty.call('GET', '/analytics?interval=all')).body.data).toEqual({
    clicks: 0,
    uniqueClicks: 0,
  });
});

test('an unknown link returns 404 even for an empty range', async () => {
  expect((await get('?start=2099-01-01')).status).toBe(400);
  expect((await get('?start=2099-01-01&code=unknown-code')).status).toBe(404);
});

test.each(['unknown', 'a', 'x%23y', '%20'])('the unknown code %s returns 404', async (code) => {
  const { status, body } = await get(`?code=${code}`);
  expect([status, body.error.code]).toEqual([404, 'LINK_NOT_FOUND']);
});
