import { changeEach } from '../../console/calls/change-each.ts';
import { rangeBeforeOf } from '../../console/calls/member-analytics.ts';
import { handlersOf } from '../../console/calls/members-calls.ts';
import { projectClients } from '../../console/calls/project-clients.ts';

const url = 'https://api.example.com';
const session = { email: 'ann@example.com', projects: [] };

/** The calls of a member's page to a service. */
const callsTo = (service: typeof fetch, own?: Parameters<typeof handlersOf>[2]) => {
  jest.spyOn(globalThis, 'fetch').mockImplementation(service);
  const expiresAt = new Date(Date.now() + 900_000).toISOString();
  const { withClient } = projectClients(url, async () => ({ key: 'key', expiresAt }));
  return handlersOf(session, withClient, own);
};

/** Clients whose keys are numbered: `refuses` ends keys, `exchange` may reject. */
const openClients = (
  refuses: (key: string) => boolean = () => false,
  exchange = async (number: number) => `key-${number}`,
) => {
  let exchanges = 0;
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_, { headers } = {}) => {
    const isRefused = refuses(new Headers(headers).get('x-api-key') ?? '');
    return isRefused
      ? Response.json({ success: false, error: { code: 'INVALID_API_KEY' } }, { status: 401 })
      : Response.json({ success: true, data: { tags: [] } });
  });
  const { withClient } = projectClients(url, async () => {
    exchanges += 1;
    return { key: await exchange(exchanges), expiresAt: new Date(Date.now() + 900_000).toISOString() };
  });
  const ask = () => withClient('shop', ({ tags }) => tags.list());
  return { withClient, ask, exchanges: () => exchanges };
};

afterEach(() => jest.restoreAllMocks());

test('calls of a view at the same time use one key', async () => {
  const { ask, exchanges } = openClients();
  await Promise.all([ask(), ask(), ask()]);
  await ask();
  expect(exchanges()).toBe(1);
});

test('calls that meet an ended key go by one other key', async () => {
  const { ask, exchanges } = openClients((key) => key === 'key-1');
  await Promise.all([ask(), ask(), ask()]);
  expect(exchanges()).toBe(2);
});

test('a key is renewed a minute before its end', async () => {
  const { ask, exchanges } = openClients();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
  for (const ms of [0, 839_999, 840_000]) {
    clock.mockReturnValue(ms);
    await ask();
  }
  expect(exchanges()).toBe(2);
});

test('a call whose keys end before they are used goes by a fourth, and asks for no more', async () => {
  const unlucky = openClients((key) => key !== 'key-4');
  expect(await unlucky.ask()).toEqual({ tags: [] });
  expect(unlucky.exchanges()).toBe(4);
  const refused = openClients(() => true);
  await expect(refused.ask()).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
  expect(refused.exchanges()).toBe(4);
});

test('a key that could not be had is asked for again', async () => {
  const { ask, exchanges } = openClients(undefined, async (number) => {
    if (number === 1) throw new Error('away');
    return `key-${number}`;
  });
  await expect(Promise.all([ask(), ask()])).rejects.toThrow('away');
  await ask();
  expect(exchanges()).toBe(2);
});

test('a change of many links goes on when its key ends', async () => {
  let calls = 0;
  const { withClient } = openClients((key) => {
    calls += 1;
    return key === 'key-1' && calls > 1;
  });
  const { setLinkStatus } = handlersOf(session, withClient);
  const pause = (code: string) => setLinkStatus({ project: 'shop', code, status: 'PAUSED' });
  const left = await changeEach(['one', 'two', 'three'], pause, () => undefined);
  expect([left.size, calls]).toEqual([0, 5]);
});

test('the makers of links are asked for once, and again without an answer', async () => {
  let [asked, isAway] = [0, true];
  const data = { code: 'one', status: 'ACTIVE', createdBy: 'm_1', payload: {} };
  const { link } = callsTo(async () => Response.json({ success: true, data }), {
    membersOf: async () => {
      asked += 1;
      if (isAway) throw new Error('away');
      return [{ id: 'm_1', email: 'bob@example.com' }];
    },
  });
  const author = async () => {
    const { createdBy } = await link({ project: 'shop', code: 'one' });
    return createdBy;
  };
  expect(await author()).toBe('m_1');
  isAway = false;
  expect(await Promise.all([author(), author()])).toEqual(['bob@example.com', 'bob@example.com']);
  expect(await author()).toBe('bob@example.com');
  expect(asked).toBe(2);
});

test('a page of a search goes on from its cursor, with as many calls as it takes to fill it', async () => {
  const asked: URLSearchParams[] = [];
  // Each call finds 30 links of 120.
  const { links } = callsTo(async (address) => {
    const { searchParams } = new URL(String(address));
    asked.push(searchParams);
    const first = Number(searchParams.get('cursor') || 0);
    const last = Math.min(first + Math.min(30, Number(searchParams.get('pageSize'))), 120);
    const data = Array.from({ length: last - first }, (_, i) => ({ code: `code-${first + i}` }));
    const nextCursor = last < 120 ? String(last) : null;
    return Response.json({ success: true, data, pagination: { pageSize: 50, nextCursor } });
  });
  const found: unknown[] = [];
  const onProgress = ({ done }: { done?: number | undefined }) => found.push(done);
  const page = await links({ project: 'shop', search: 'code', cursor: '50' }, { onProgress });
  expect(page.links.map(({ code }) => code)).toEqual(Array.from({ length: 50 }, (_, i) => `code-${50 + i}`));
  expect(page.pagination).toEqual({ pageSize: 50, nextCursor: '100' });
  expect(asked.map((one) => one.get('cursor'))).toEqual(['50', '80']);
  expect(found).toEqual([30]);
});

/** A service with so many links, which counts its calls and those that wait at once. */
const serviceOf = (total: number) => {
  const seen = { calls: 0, atOnce: 0, most: 0, patched: [] as string[] };
  const all = Array.from({ length: total }, (_, i) => ({
    ...{ code: `c${i}`, shortUrl: `https://go.example.com/c${i}`, status: 'ACTIVE', tags: [] },
    ...{
      name: `Name ${(i * 7) % total}`,
      clickCount: (i * 13) % total,
      createdAt: '2026-01-01T00:00:00.000Z',
    },
    payload: { link: `https://example.com/${i}` },
  }));
  const calls = callsTo(async (address, { method } = {}) => {
    seen.calls += 1;
    seen.atOnce += 1;
    seen.most = Math.max(seen.most, seen.atOnce);
    await new Promise(setImmediate);
    seen.atOnce -= 1;
    const { pathname, searchParams: query } = new URL(String(address));
    const [code] = /[^/]+$/.exec(pathname) ?? [];
    if (method === 'PATCH') seen.patched.push(String(code));
    if (pathname.endsWith('/mobile-apps')) return Response.json({ success: true, data: { apps: [] } });
    if (code !== 'links') return Response.json({ success: true, data: all.find((one) => one.code === code) });
    const size = Number(query.get('pageSize'));
    const first = Number(query.get('cursor') || 0);
    const nextCursor = first + size < total ? String(first + size) : null;
    const pagination = query.has('cursor')
      ? { pageSize: size, nextCursor }
      : { page: 1, pageSize: size, total };
    return Response.json({ success: true, data: all.slice(first, first + size), pagination });
  });
  return { seen, all, ...calls };
};

test('members sort and export up to 2,000 links, which are read once', async () => {
  const { seen, all, links, exportLinks } = serviceOf(2000);
  const pageOf = async (sort: 'clicks' | 'name' | 'code' | 'oldest', cursor: string) =>
    (await links({ project: 'shop', sort, cursor }, {})).links.map(({ code }) => code);
  const byClicks = all.toSorted((a, b) => b.clickCount - a.clickCount).map(({ code }) => code);
  expect(await pageOf('clicks', '2')).toEqual(byClicks.slice(50, 100));
  expect((await pageOf('oldest', ''))[0]).toBe('c1999');
  expect((await pageOf('name', ''))[1]).toBe(all.find(({ name }) => name === 'Name 1')?.code);
  expect((await pageOf('code', '40')).at(-1)).toBe('c1999');
  const { text } = await exportLinks({ project: 'shop', format: 'csv', codes: ['c3', 'c1'] }, {});
  const [head, ...rows] = text.trim().split('\r\n');
  expect(head).toMatch(/^code,shortUrl,link,name,status,createdAt,expiresAt,clicks,/);
  expect(rows.map((row) => row.split(',').slice(0, 3))).toEqual([
    ['c3', 'https://go.example.com/c3', 'https://example.com/3'],
    ['c1', 'https://go.example.com/c1', 'https://example.com/1'],
  ]);
  // How many there are, twenty pages, and the apps.
  expect(seen.calls).toBe(22);
  const more = serviceOf(2001);
  await expect(more.links({ project: 'shop', sort: 'name' }, {})).rejects.toThrow(/up to 2,000 links/);
  expect(more.seen.calls).toBe(1);
});

test('fifty links get a tag by six calls at a time', async () => {
  const { seen, tagLink } = serviceOf(50);
  const codes = Array.from({ length: 50 }, (_, i) => `c${i}`);
  const steps: unknown[] = [];
  const tag = (code: string) => tagLink({ project: 'shop', code, add: ['sale'] });
  const left = await changeEach(codes, tag, ({ done }) => steps.push(done));
  expect([left.size, seen.most, seen.patched.toSorted()]).toEqual([0, 6, codes.toSorted()]);
  expect([steps[0], steps.at(-1)]).toEqual([0, 50]);
});

test.each([
  [{ interval: '24h' }, '2026-05-09T11:00:00.000Z', '2026-05-10T11:00:00.000Z', 'hour'],
  [{ interval: '30d' }, '2026-03-13T00:00:00.000Z', '2026-04-12T00:00:00.000Z', 'day'],
  [{ start: '2026-05-01', end: '2026-05-03' }, '2026-04-28T00:00:00.000Z', '2026-05-01T00:00:00.000Z', 'day'],
] as const)('the period before %j', (input, start, end, granularity) => {
  const now = Date.parse('2026-05-11T10:30:00Z');
  expect(rangeBeforeOf({ project: 'shop', ...input }, now)).toEqual({ start, end, granularity });
});
