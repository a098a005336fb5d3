import { recordedParts } from '../../core/idempotency/idempotency-store.ts';
import { createEach } from '../../core/links/bulk-creation.ts';
import { openStores } from '../../core/stores.ts';
import { AwsError } from '../../core/table/errors.ts';
import type { CallFault } from '../../local/testing/faulty-engine.ts';
import { unique } from '../support/builders.ts';
import { fileTable, newProject } from '../support/engine.ts';
import { fileFaults, loseNext } from '../support/faults.ts';
import { type ApiHandler, callApi } from '../support/function-calls.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { handlerOf } from '../support/handler-of.ts';
import { ofFile } from '../support/of-file.ts';

const db = fileTable();
const faulty = fileFaults(db);
ofFile(captureFunctionLog);
const handlers: Record<string, ApiHandler> = {
  '/links': handlerOf(() => import('../../lambdas/api/create-link.ts'), faulty),
  '/links/bulk': handlerOf(() => import('../../lambdas/api/create-links.ts'), faulty),
  '/mobile-apps': handlerOf(() => import('../../lambdas/api/create-mobile-app.ts'), faulty),
};

const payload = { link: 'https://example.com' };
/** A call's request and result. */
const calls: Readonly<Record<string, { body: object; status: number; count: number }>> = {
  '/links': { body: { payload }, status: 201, count: 1 },
  '/links/bulk': {
    body: { links: [{ payload }, { payload }, { code: 'chosen', payload }] },
    status: 200,
    count: 3,
  },
  '/mobile-apps': { body: { platform: 'IOS', name: 'A', bundleId: 'b' }, status: 201, count: 1 },
};
const outcomeOf = (path: string) => [calls[path]?.status, calls[path]?.count];

const call = async (path: string, project: string, key?: string) => {
  const { status, headers, body } = await callApi(handlers[path] as ApiHandler, {
    ...{ method: 'POST', path, project, body: calls[path]?.body },
    headers: key === undefined ? {} : { 'Idempotency-Key': [key] },
  });
  return { status, body, isReplay: headers['Idempotent-Replayed'] === 'true' };
};

/** By the project, since calls of earlier tests may still be repeated. */
const isCreation = (operation: string, body: string, project: string) =>
  operation === 'TransactWriteItems' && body.includes(project);

/** The project's resources, from its lists. */
const made = async (project: string) => {
  const { apps, links } = openStores(db.table);
  const page = await links.page(project, 1, 100);
  expect(page.total).toBe(page.links.length);
  return page.total + (await apps.list(project)).length;
};

/** Kills the process at one of its calls: no later call reaches the table. */
const dieAt = (n: number, how: CallFault): Promise<'died'> => {
  let calls = 0;
  return new Promise((resolve) => {
    faulty.fault = () => {
      calls += 1;
      if (calls < n) return 'none';
      resolve('died');
      return calls === n ? how : 'hang';
    };
  });
};

const cases = Object.keys(calls).flatMap((path) =>
  (['hang', 'lose-answer'] as const).flatMap((how) =>
    Array.from({ length: 8 }, (_, i) => [path, how, i + 1] as const),
  ),
);

test.each(cases)('POST %s that dies (%s) at call %i is completed by its repetition', async (path, how, n) => {
  const { id: project } = await newProject(db);
  // Takedowns are cached here, so that no call under test waits for another's reading.
  await call(path, (await newProject(db)).id);
  const key = unique('attempt');
  const death = dieAt(n, how);
  const first = await Promise.race([call(path, project, key), death]);
  faulty.fault = () => 'none';
  const again = await call(path, project, key);
  expect([again.status, await made(project)]).toEqual(outcomeOf(path));
  if (path === '/links/bulk') expect(again.body.data.created).toBe(3);
  const third = await call(path, project, key);
  expect(third.body.data).toEqual(again.body.data);
  expect(await made(project)).toBe(calls[path]?.count);
  // A response sent before the process could die stays the response.
  if (first !== 'died' && first.status !== undefined && first.status < 300) {
    expect(again.body.data).toEqual(first.body.data);
  }
});

test.each(Object.keys(calls))(
  'a lost response to the write of POST %s does not reach the client',
  async (path) => {
    const { id: project } = await newProject(db);
    const losses = loseNext(faulty, (operation, body) => isCreation(operation, body, project));
    const { status, body } = await call(path, project, unique('attempt'));
    expect([losses(), body.success]).toEqual([1, true]);
    expect([status, await made(project)]).toEqual(outcomeOf(path));
  },
);

test.each(['/links', '/links/bulk'])(
  'POST %s waits for its transaction that still runs, and makes no second one',
  async (path) => {
    const { id: project } = await newProject(db);
    const seen = new Map<string, number>();
    faulty.fault = (operation, body) => {
      if (!isCreation(operation, body, project)) return 'none';
      const token = String(JSON.parse(body).ClientRequestToken);
      const times = (seen.get(token) ?? 0) + 1;
      seen.set(token, times);
      return times === 1 ? 'lose-answer' : times === 2 ? 'in-progress' : 'none';
    };
    const { status, body } = await call(path, project);
    expect([status, await made(project)]).toEqual(outcomeOf(path));
    if (path === '/links/bulk') expect(body.data.created).toBe(3);
    // Links of one call may meet; those are cancelled and drawn anew.
    expect(new Set(seen.values())).toEqual(new Set([3]));
  },
);

test('a bulk call that meets its own first write is no replay', async () => {
  const { id: project } = await newProject(db);
  const losses = loseNext(faulty, (operation) => operation === 'PutItem');
  const { status, isReplay } = await call('/links/bulk', project, unique('attempt'));
  expect([losses(), status, isReplay]).toEqual([1, 200, false]);
});

test('throttled links of a bulk call are retried', async () => {
  const { id: project } = await newProject(db);
  // More than one call would wait for, with short pauses.
  const random = jest.spyOn(Math, 'random').mockReturnValue(0.001);
  let left = 33;
  faulty.fault = (operation, body) => {
    if (!isCreation(operation, body, project) || left === 0) return 'none';
    left -= 1;
    return 'throttle';
  };
  const { body } = await call('/links/bulk', project);
  random.mockRestore();
  expect([left, body.data.created, await made(project)]).toEqual([0, 3, 3]);
});

test('only an item that stays throttled fails, and items without time are not started', async () => {
  const busy = new AwsError({
    name: 'TransactionCanceledException',
    reasons: [{ Code: 'ThrottlingError' }],
  });
  const create = async (item: unknown) => {
    if (item === 'busy') throw busy;
    return item;
  };
  const logUnforeseen = (error: unknown) => {
    throw error;
  };
  const results = await createEach(['busy', 'fine'], { create, until: Date.now() + 60_000, logUnforeseen });
  expect(results).toEqual([
    { index: 0, success: false, error: { code: 'RATE_LIMIT_EXCEEDED', message: expect.anything() } },
    { index: 1, success: true, link: 'fine' },
  ]);
  const late = await createEach(['fine'], { create, until: 0, logUnforeseen });
  expect(late).toMatchObject([{ success: false, error: { code: 'RATE_LIMIT_EXCEEDED' } }]);
});

test('an internal error fails the whole call if nothing was created', async () => {
  const create = async (item: unknown) => {
    if (item === 'broken') throw new Error('broken');
    return item;
  };
  const options = { create, until: Date.now() + 60_000, logUnforeseen: () => undefined };
  await expect(createEach(['broken', 'broken'], options)).rejects.toThrow('broken');
  expect(await createEach(['broken', 'fine'], options)).toMatchObject([
    { success: false, error: { code: 'INTERNAL_ERROR' } },
    { success: true },
  ]);
});

test('after a day a call is forgotten, swept or not', async () => {
  const { idempotency } = openStores(db.table);
  const call = { project: (await newProject(db)).id, path: '/links', key: 'k', bodyHash: 'one' };
  const now = new Date('2026-06-01T12:00:00.000Z');
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  await db.table.transact(recordedParts({ call, now }, { id: 'first' }));
  expect((await idempotency.find(call, later(86_399)))?.made).toEqual({ id: 'first' });
  const other = { ...call, bodyHash: 'other' };
  await expect(idempotency.find(other, later(86_399))).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  });
  expect(await idempotency.find(other, later(86_400))).toBeUndefined();
  await expect(
    db.table.transact(recordedParts({ call: other, now: later(86_399) }, { id: 'second' })),
  ).rejects.toThrow('condition');
  await db.table.transact(recordedParts({ call: other, now: later(86_400) }, { id: 'second' }));
  expect((await idempotency.find(other, later(86_401)))?.made).toEqual({ id: 'second' });
});

test('links of a forgotten bulk call are not reused by the next call with its key', async () => {
  const { idempotency } = openStores(db.table);
  const call = { project: (await newProject(db)).id, path: '/links/bulk', key: 'k', bodyHash: 'one' };
  const now = new Date('2026-06-01T12:00:00.000Z');
  const nextDay = new Date(now.getTime() + 86_400_000);
  const first = await idempotency.begin(call, now);
  if (!first) throw new Error('Nothing was begun');
  expect(await idempotency.begin(call, now)).toBeUndefined();
  await db.table.transact(recordedParts({ call, callRecord: first, position: 7 }, { id: 'x' }));
  expect([...(await idempotency.items(call, first))]).toEqual([[7, { id: 'x' }]]);
  const second = await idempotency.begin(call, nextDay);
  if (!second) throw new Error('Nothing was begun');
  expect([...(await idempotency.items(call, second))]).toEqual([]);
});
