import { changeEach } from '../../console/calls/change-each.ts';
import { memberClients } from '../../console/calls/member-clients.ts';
import { handlersOf } from '../../console/calls/members-calls.ts';

/** Clients whose keys are numbered: `refuses` says which keys end, `exchange` may reject. */
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
  const { asking } = memberClients('https://api.example.com', async () => {
    exchanges += 1;
    return { key: await exchange(exchanges), expiresAt: new Date(Date.now() + 900_000).toISOString() };
  });
  const ask = () => asking('shop', ({ tags }) => tags.list());
  return { asking, ask, exchanges: () => exchanges };
};

afterEach(() => jest.restoreAllMocks());

test('what a view asks at once goes by one key', async () => {
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
  const { asking } = openClients((key) => {
    calls += 1;
    return key === 'key-1' && calls > 1;
  });
  const { setLinkStatus } = handlersOf({ email: 'ann@example.com', projects: [] }, asking);
  const pause = (code: string) => setLinkStatus({ project: 'shop', code, status: 'PAUSED' });
  const left = await changeEach(['one', 'two', 'three'], pause, () => undefined);
  expect([left.size, calls]).toEqual([0, 4]);
});

test('who made links is asked for once, and again if nobody answered', async () => {
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () =>
    Response.json({
      success: true,
      data: { code: 'one', status: 'ACTIVE', createdBy: 'm_1', payload: {} },
    }),
  );
  const { asking } = memberClients('https://api.example.com', async () => ({
    ...{ key: 'key', expiresAt: new Date(Date.now() + 900_000).toISOString() },
  }));
  let [asked, isAway] = [0, true];
  const session = { email: 'ann@example.com', projects: [] };
  const { link } = handlersOf(session, asking, async () => {
    asked += 1;
    if (isAway) throw new Error('away');
    return [{ id: 'm_1', email: 'bob@example.com' }];
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
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (address) => {
    const { searchParams } = new URL(String(address));
    asked.push(searchParams);
    const first = Number(searchParams.get('cursor') || 0);
    const last = Math.min(first + Math.min(30, Number(searchParams.get('pageSize'))), 120);
    const data = Array.from({ length: last - first }, (_, i) => ({ code: `code-${first + i}` }));
    const nextCursor = last < 120 ? String(last) : null;
    return Response.json({ success: true, data, pagination: { pageSize: 50, nextCursor } });
  });
  const { asking } = memberClients('https://api.example.com', async () => ({
    ...{ key: 'key', expiresAt: new Date(Date.now() + 900_000).toISOString() },
  }));
  const { links } = handlersOf({ email: 'ann@example.com', projects: [] }, asking);
  const found: unknown[] = [];
  const onProgress = ({ done }: { done?: number | undefined }) => found.push(done);
  const page = await links({ project: 'shop', search: 'code', cursor: '50' }, { onProgress });
  expect(page.links.map(({ code }) => code)).toEqual(Array.from({ length: 50 }, (_, i) => `code-${50 + i}`));
  expect(page.pagination).toEqual({ pageSize: 50, nextCursor: '100' });
  expect(asked.map((one) => one.get('cursor'))).toEqual(['50', '80']);
  expect(found).toEqual([30]);
});
