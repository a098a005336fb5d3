import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { fileTable } from '../support/engine.ts';
import { isNightly } from '../support/nightly.ts';
import { ofFile } from '../support/of-file.ts';
import {
  dawn,
  loadFunctions,
  type ServiceInTime,
  type SweeperDelay,
  startFollowers,
  startServiceInTime,
} from './service-in-time.ts';

const hour = 3_600_000;

const db = fileTable();
const functions = ofFile(() => loadFunctions(db));
const followers = ofFile(() => startFollowers(db, functions));

const start = (delay?: SweeperDelay): Promise<ServiceInTime> =>
  startServiceInTime({ db, functions, followers }, delay);

const iso = (offsetMs: number) => new Date(dawn + offsetMs).toISOString();
const payload = { link: 'https://example.com/landing' };
const create = ({ call }: ServiceInTime, code: string, expiresInMs?: number) =>
  call('createLink', {
    body: { code, payload, ...(expiresInMs !== undefined && { expiresAt: iso(expiresInMs) }) },
  });
const update = ({ call }: ServiceInTime, code: string, expiresAt: string | null) =>
  call('updateLink', { code, body: { payload, expiresAt } });
const setStatus = ({ call }: ServiceInTime, code: string, status: string) =>
  call('updateLinkStatus', { code, body: { status } });

/**
 * Links of one moment in the order of their codes: one creation in a thousand begins a new segment of the list, by the system's
 * clock, which isn't the one of these tests.
 */
const byCode = (answer: string): string =>
  answer.replace(/"data":(\[.*\])(?=,"pagination")/s, (_, data: string) => {
    const links: { readonly code: string }[] = JSON.parse(data);
    return `"data":${JSON.stringify(links.sort((one, other) => (one.code < other.code ? -1 : 1)))}`;
  });

describe('responses do not depend on when expired items are swept:', () => {
  const codes = 'short-lived moved-on moved-up made-lasting paused-one deleted-one lasting'.split(' ');

  /** The responses to everything a client can ask about the links. */
  const askAll = async (service: ServiceInTime): Promise<string[]> => {
    const answers = [byCode(await service.call('listLinks'))];
    for (const code of codes) {
      answers.push(await service.visit(code), await service.visit(code, '203.0.113.8'));
    }
    await service.settle();
    for (const code of codes) answers.push(await service.call('getLink', { code }));
    return answers;
  };

  /** The same requests at the same times. */
  const trace = async (service: ServiceInTime): Promise<string[]> => {
    const answers: string[] = [];
    const note = async (...asked: Promise<string>[]) => {
      for (const answer of asked) answers.push(await answer);
    };
    await service.at(0);
    for (const code of codes) await note(create(service, code, code === 'lasting' ? undefined : hour));
    answers.push(...(await askAll(service)));
    await service.at(hour / 2);
    await note(update(service, 'moved-on', iso(30 * hour)));
    await note(update(service, 'moved-up', iso(hour / 2 + 1)));
    await note(update(service, 'made-lasting', null));
    await note(setStatus(service, 'paused-one', 'PAUSED'));
    await note(service.call('deleteLink', { code: 'deleted-one' }));
    for (const offset of [1, 1.5, 2.5, 20, 30, 31, 74, 103, 104, 200]) {
      await service.at(offset * hour);
      answers.push(...(await askAll(service)));
      await note(setStatus(service, 'short-lived', 'PAUSED'));
      await note(setStatus(service, 'paused-one', 'ACTIVE'));
      await note(update(service, 'moved-up', iso(500 * hour)));
      await note(update(service, 'moved-on', iso((offset < 30 ? 30 : 500) * hour)));
      await note(create(service, 'short-lived', 500 * hour));
    }
    await note(service.call('deleteLink', { code: 'short-lived' }));
    await service.at(600 * hour);
    answers.push(...(await askAll(service)));
    return answers;
  };

  let withoutSweeper: string[];
  beforeAll(async () => {
    const untouched = await startServiceInTime({ db, functions, followers }, undefined);
    withoutSweeper = await trace(untouched);
  });

  test('links expire also without a sweeper', () => {
    expect(withoutSweeper.length).toBeGreaterThan(200);
    expect(withoutSweeper.filter((answer) => answer.includes('"status":"EXPIRED"')).length).toBeGreaterThan(
      20,
    );
  });

  const delays = [
    ['at once', 0],
    ['three days late', 72 * hour],
    ['an hour late', hour],
  ] as const;
  // By day the other extreme of never; the others mix both.
  test.each(isNightly ? delays : delays.slice(0, 1))('%s', async (_, delay) => {
    const service = await start(delay);
    for (const [i, answer] of (await trace(service)).entries()) expect(answer).toBe(withoutSweeper[i]);
    // The sweeper has run: its removal stored the expiry.
    const [link] = (await service.items('moved-up')).filter(({ SK }) => SK === 'LINK');
    expect(link).toMatchObject({ status: 'EXPIRED' });
  });
});

describe('a link expires from its millisecond on', () => {
  const boundary = hour;

  test.each([
    ['a millisecond before', -1, 'ACTIVE'],
    ['at its time', 0, 'EXPIRED'],
    ['a millisecond after', 1, 'EXPIRED'],
  ])('%s', async (_, offset, status) => {
    const service = await start();
    for (const code of ['read', 'paused', 'changed']) await create(service, code, boundary);
    await service.at(boundary + offset);
    const isLive = status === 'ACTIVE';
    expect(await service.visit('read')).toMatch(isLive ? /^302 / : /^404 /);
    expect(await service.call('getLink', { code: 'read' })).toContain(`"status":"${status}"`);
    expect((await service.call('listLinks')).match(/"status":"\w+"/g)).toEqual(
      Array.from({ length: 3 }, () => `"status":"${status}"`),
    );
    expect(await setStatus(service, 'paused', 'PAUSED')).toMatch(isLive ? /^200 / : /^400 /);
    expect(await update(service, 'changed', iso(2 * boundary))).toMatch(isLive ? /^200 / : /^400 /);
  });
});

describe('the expiry marker', () => {
  const stored = async ({ items }: ServiceInTime, code: string) =>
    (await items(code)).find(({ SK }) => SK === 'LINK')?.status;

  test('is swept after the expiry, whose status is then stored; the link and its analytics stay', async () => {
    const service = await start(0);
    await create(service, 'expiring', hour);
    await service.visit('expiring');
    await service.settle();
    const before = (await service.items('expiring')).find(({ SK }) => SK === 'LINK');
    await service.at(hour);
    expect((await service.items('expiring')).map(({ SK }) => SK)).toEqual(['EXPIRY', 'LINK', 'STATS']);
    await service.at(hour + 1000);
    const after = await service.items('expiring');
    expect(after.map(({ SK }) => SK)).toEqual(['LINK', 'STATS']);
    expect(after[0]).toEqual({ ...before, status: 'EXPIRED' });
    await service.at(1e6 * hour);
    expect(await service.items('expiring')).toEqual(after);
  });

  test.each([
    ['moved', iso(5 * hour)],
    ['cleared', null],
  ])(
    'changes nothing if the expiry was %s before the record of its removal arrives',
    async (_, expiresAt) => {
      const service = await start(0);
      await create(service, 'late', hour);
      const [item] = (await service.items('late')).filter(({ SK }) => SK === 'EXPIRY');
      await update(service, 'late', expiresAt);
      await functions.expire({
        Records: [
          {
            dynamodb: {
              OldImage: Object.fromEntries(
                ['project', 'code', 'expiresAt'].map((name) => [name, { S: String(item?.[name]) }]),
              ),
            },
          },
        ],
      });
      expect(await stored(service, 'late')).toBe('ACTIVE');
    },
  );

  test('changes nothing if a request removes it', async () => {
    const service = await start(0);
    await create(service, 'touched', hour);
    await update(service, 'touched', null);
    await service.at(2 * hour);
    expect(await stored(service, 'touched')).toBe('ACTIVE');
  });
});

test('only temporary items have a time to live', async () => {
  const service = await start();
  await create(service, 'kept', hour);
  await service.visit('kept');
  await service.settle();
  const items = (await db.client.send(new ScanCommand({ TableName: db.resource.name }))).Items ?? [];
  const withTtl = (kept: boolean) =>
    [
      ...new Set(items.filter(({ ttl }) => (ttl === undefined) === kept).map(({ PK, SK }) => kindOf(PK, SK))),
    ].sort();
  expect(withTtl(false)).toEqual(['EXPIRY', 'RATE', 'VISITOR']);
  expect(withTtl(true)).toEqual(expect.arrayContaining(['LINK', 'STATS']));
  expect(JSON.stringify(items)).not.toContain('203.0.113.7');
});

const kindOf = (PK: string, SK: string) => (PK.startsWith('LINK#') ? SK : PK.split('#')[0]);
