import { readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { made, unpackFolder } from '../support/folder-of-1.2.ts';
import {
  dataFolder,
  dropDataFolder,
  eventually,
  type RunningStack,
  startLocalStack,
} from '../support/local-stack.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const hourMs = 60 * 60 * 1000;
const clock = path.join(import.meta.dirname, '../support/shifted-clock.mjs');
const { NODE_OPTIONS = '' } = process.env;

let data: string;
let stack: RunningStack | undefined;
beforeAll(() => {
  data = dataFolder();
  unpackFolder(data);
});
afterAll(async () => {
  process.env.NODE_OPTIONS = NODE_OPTIONS;
  await stack?.stop();
  dropDataFolder(data);
});

/** Starts the stack so many hours after 1.2 was killed, whenever that was. */
const startAfter = async (hours: number): Promise<RunningStack> => {
  const shift = made.at + hours * hourMs - Date.now();
  process.env.NODE_OPTIONS = `--import file://${clock}?${shift}`;
  return startLocalStack(data, '--sign-in', '--console-port', '0');
};

const clicksOf = async ({ api }: RunningStack): Promise<number[]> => {
  const shown = await Promise.all(made.codes.map((code) => api('GET', `/links/${code}`)));
  return shown.map(({ body }) => body.data.clickCount);
};
const sum = (all: readonly number[]) => all.reduce((whole, one) => whole + one, 0);

test('a folder of 1.2 that was killed keeps links, keys and members, and counts each click once', async () => {
  stack = await startAfter(2);
  const { api, admin } = stack;
  const counted = await eventually(
    () => clicksOf(stack as RunningStack),
    (all) => sum(all) >= made.clicks,
  );
  expect(counted).toEqual(made.clicksOf);
  const { data: link } = (await api('GET', '/links/kept-3')).body;
  expect(link).toMatchObject({
    name: 'Renamed',
    tags: ['t0'],
    payload: { link: 'https://example.com/landing', android: { package: 'com.example.app' } },
    analytics: { totalClicks: 45, uniqueClicks: 45 },
  });
  expect((await api('GET', '/links/gone')).status).toBe(404);
  expect((await api('GET', '/links/shop-one', { key: made.shopKey })).status).toBe(200);
  const [ann] = await admin('member', 'list', '--project', 'shop');
  expect(ann).toMatchObject({ email: 'ann@example.com', role: 'editor' });
  // 1.2 removed its item and was killed before anybody had seen that.
  const expired = await eventually(
    () => api('GET', '/links/expires'),
    ({ body }) => body.data.status === 'EXPIRED',
  );
  expect(expired.status).toBe(200);
});

test('pending events are sent, with exactly the counted clicks', async () => {
  const receiver = await startReceiver();
  const of = ['--project', 'demo'];
  await stack?.admin('webhook', 'update', made.webhook, ...of, '--url', receiver.url);
  await stack?.stop();
  stack = await startAfter(30);
  await receiver.events('link.expired');
  await eventually(
    () => (stack as RunningStack).admin('webhook', 'show', made.webhook, ...of),
    ({ pending }) => pending === 0,
  );
  const events = receiver.received.map(({ event }) => event);
  const ids = events.flatMap(({ data: { clicks = [] } }) => clicks.map(({ id }: { id: string }) => id));
  expect(new Set(ids).size).toBe(sum(await clicksOf(stack)));
  const linksOf = (type: string) =>
    events.filter((event) => event.type === type).map(({ data: { link } }) => link.code);
  expect(linksOf('link.created')).toEqual(expect.arrayContaining([...made.codes, 'gone', 'expires']));
  expect(linksOf('link.expired')).toEqual(['expires']);
  await receiver.stop();
});

test('its database is kept, and no later start converts it again', () => {
  const files = readdirSync(path.join(data, 'dynamodb'));
  expect(files).toEqual(expect.arrayContaining(['dynamodb.sqlite.1.2', 'tables.sqlite']));
  expect(files).not.toContain('dynamodb.sqlite');
});

test('the way back loses what was changed since, and only that', async () => {
  const created = await (stack as RunningStack).api('POST', '/links', {
    body: { code: 'since', payload: { link: 'https://example.com/since' } },
  });
  expect(created.status).toBe(201);
  await stack?.stop();
  const database = path.join(data, 'dynamodb/dynamodb.sqlite');
  renameSync(`${database}.1.2`, database);
  stack = await startAfter(31);
  expect((await stack.api('GET', '/links/since')).status).toBe(404);
  expect(
    await eventually(
      () => clicksOf(stack as RunningStack),
      (all) => sum(all) >= made.clicks,
    ),
  ).toEqual(made.clicksOf);
  expect(await stack.admin('webhook', 'show', made.webhook, '--project', 'demo')).toMatchObject({
    status: 'ACTIVE',
  });
});
