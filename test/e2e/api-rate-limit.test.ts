import type { Contract } from '../../core/api/endpoint.ts';
import { api } from '../../core/api/index.ts';
import { identifyApiKey } from '../../core/api-keys/api-key.ts';
import { coded, expectHeaders, newProject, requestOf, storesOf, type TestProject } from '../support/api.ts';
import { prodFlags, prodRateLimit } from '../support/local-stack.ts';
import { ownStack } from '../support/stack-fixtures.ts';

const limit = prodRateLimit;
const stack = ownStack('--memory', ...prodFlags);

const remainingOf = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining'));

/**
 * Sends this many requests, up to 50 at once. All at once, a slow machine would take longer than functions wait for the
 * counter, and let them pass uncounted. Call it within `inOneHour`: a new hour would reset the count.
 */
const burst = async ({ call }: TestProject, count: number) => {
  const answers: Awaited<ReturnType<typeof call>>[] = [];
  const codes = Array.from({ length: count }, (_, i) => `code-${i}`).values();
  const sender = async () => {
    for (const code of codes) answers.push(await call('GET', `/links/check/${code}`));
  };
  await Promise.all(Array.from({ length: 50 }, sender));
  return answers;
};

/** Counts calls of the project's key as the gateway's functions do, without making them. */
const useUp = async ({ key }: TestProject, count: number): Promise<void> => {
  const { keyId = '' } = identifyApiKey(key) ?? {};
  const { rates } = storesOf(stack);
  await Promise.all(Array.from({ length: count }, () => rates.take({ keyId: keyId }, new Date(), limit)));
};

const inOneHour = async <Value>(act: () => Promise<Value>): Promise<Value> => {
  for (;;) {
    const hour = Math.floor(Date.now() / 3_600_000);
    const value = await act();
    if (Math.floor(Date.now() / 3_600_000) === hour) return value;
  }
};

test("starting the stack takes nothing of the demo key's quota", async () => {
  const { body } = await stack.api('GET', '/usage');
  expect(body.data).toMatchObject({ limit, used: 0, remaining: limit });
});

test('exactly the limit passes, however many come at once, and each response shows the rest', async () => {
  const answers = await inOneHour(async () => burst(await newProject(stack), limit + 40));
  const passed = answers.filter(({ status }) => status === 200);
  expect(passed.map(remainingOf).sort((a, b) => a - b)).toEqual(Array.from({ length: limit }, (_, i) => i));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(40);
  for (const { status, headers, body } of refused) {
    expect([status, body]).toEqual([429, coded('RATE_LIMIT_EXCEEDED')]);
    expect(headers.get('x-ratelimit-limit')).toBe(String(limit));
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    const wait = Number(headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(3600);
  }
});

test('usage does not count, and works when the quota is used up', async () => {
  await inOneHour(async () => {
    const project = await newProject(stack);
    const usage = async () => {
      const answer = await project.call('GET', '/usage');
      expect([answer.status, remainingOf(answer)]).toEqual([200, answer.body.data.remaining]);
      return answer.body.data;
    };
    expect(await usage()).toMatchObject({ limit, used: 0, remaining: limit, windowSeconds: 3600 });
    await burst(project, 3);
    expect(await usage()).toMatchObject({ used: 3, remaining: limit - 3 });
    expect(await usage()).toMatchObject({ used: 3 });
    await useUp(project, limit - 10);
    await burst(project, 12);
    expect(await usage()).toMatchObject({ used: limit, remaining: 0 });
  });
});

test('invalid requests count, and the limit is checked before them', async () => {
  await inOneHour(async () => {
    const project = await newProject(stack);
    expect(remainingOf(await project.call('GET', '/links?page=0'))).toBe(limit - 1);
    expect(remainingOf(await project.call('GET', '/links/unknown'))).toBe(limit - 2);
    expect(remainingOf(await project.call('POST', '/links', 'no JSON'))).toBe(limit - 3);
    await useUp(project, limit - 3);
    const operations = Object.values<Contract>(api).filter(({ uncounted }) => !uncounted);
    for (const contract of operations) {
      const target = { code: 'unknown', id: 'unknown' };
      const { status, body } = await project.call(...requestOf(contract, target));
      expect([status, body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    }
    // A refused write has written nothing.
    const key = await project.keyWith(['links:read', 'apps:read']);
    expect((await stack.api('GET', '/links', { key })).body.pagination.total).toBe(0);
    expect((await stack.api('GET', '/mobile-apps', { key })).body.data.total).toBe(0);
  });
});

test('each key has its own quota, even within a project', async () => {
  await inOneHour(async () => {
    const project = await newProject(stack);
    await useUp(project, limit - 1);
    await burst(project, 2);
    const other = await stack.api('GET', '/links', { key: await project.keyWith(['links:read']) });
    expectHeaders(other);
    expect([other.status, remainingOf(other)]).toEqual([200, limit - 1]);
  });
});
