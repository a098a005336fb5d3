import * as fc from 'fast-check';
import { visitorReads } from '../../../core/cached-reads/visitor-reads.ts';
import { AwsError } from '../../../core/table/errors.ts';
import type { Key } from '../../../core/table/keys.ts';
import type { Item } from '../../../core/table/table.ts';

const throttled = () => new AwsError({ name: 'ThrottlingException' });
const link: Key = { PK: 'LINK#acme#launch', SK: 'LINK' };
const host = (name: string): Key => ({ PK: 'DOMAIN', SK: name });

/** A table with one version of everything, that counts its calls. */
const aTable = () => {
  const table = {
    asked: [] as { readonly at: number; readonly what: string; readonly hasty: boolean }[],
    version: 0,
    isAbsent: false,
    takes: true,
    names: [] as string[],
  };
  const port = (hasty: boolean) => ({
    get: async ({ SK }: Key): Promise<Item | undefined> => {
      table.asked.push({ at: Date.now(), what: SK, hasty });
      if (!table.takes) throw throttled();
      return table.isAbsent ? undefined : { version: table.version };
    },
    query: async (): Promise<Item[]> => {
      table.asked.push({ at: Date.now(), what: 'list', hasty });
      if (!table.takes) throw throttled();
      return table.names.map((SK) => ({ SK }));
    },
  });
  const counted: string[] = [];
  const reads = visitorReads(port(false), {
    hasty: port(true),
    count: (metric) => counted.push(metric),
    random: () => 0.5,
  });
  return { table, reads, counted };
};

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());
const later = (ms: number) => jest.setSystemTime(Date.now() + ms);

type Step =
  | { readonly do: 'visit' }
  | { readonly do: 'change' | 'delete' | 'restore' }
  | { readonly do: 'refuse' | 'take' }
  | { readonly do: 'wait'; readonly ms: number };

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Step>({ do: 'visit' }) },
    { weight: 2, arbitrary: fc.constantFrom<Step>({ do: 'refuse' }, { do: 'take' }) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<Step>({ do: 'change' }, { do: 'delete' }, { do: 'restore' }),
    },
    {
      weight: 3,
      arbitrary: fc
        .constantFrom(1, 100, 250, 900, 2000, 4999, 5000, 60_000)
        .map((ms): Step => ({ do: 'wait', ms })),
    },
  ),
  { maxLength: 60, size: 'max' },
);

test('a copy of a link answers only while the table refuses, and is never five seconds old', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const { table, reads } = aTable();
      /** The versions by the times from which they were true; undefined is absence. */
      const history: { readonly from: number; readonly version: number | undefined }[] = [
        { from: Date.now(), version: 0 },
      ];
      let lastAnswered: number | undefined;
      let mayRestUntil = 0;
      const note = () =>
        history.push({ from: Date.now(), version: table.isAbsent ? undefined : table.version });
      for (const step of taken) {
        if (step.do === 'wait') later(step.ms);
        if (step.do === 'refuse') table.takes = false;
        if (step.do === 'take') table.takes = true;
        if (step.do === 'change') table.version += 1;
        if (step.do === 'delete' || step.do === 'restore') table.isAbsent = step.do === 'delete';
        note();
        if (step.do !== 'visit') continue;
        const now = Date.now();
        const before = table.asked.length;
        const answer = await reads.item(link).then(
          (item) => ({ version: item?.version as number | undefined }),
          () => 'failed' as const,
        );
        const wasAsked = table.asked.length > before;
        if (wasAsked && table.takes) {
          expect(answer).toEqual({ version: table.isAbsent ? undefined : table.version });
          lastAnswered = table.isAbsent ? undefined : now;
          continue;
        }
        const hasCopy = lastAnswered !== undefined && now - lastAnswered < 5000;
        // Without a copy the table is asked each time, and patiently.
        if (!hasCopy) expect([wasAsked, answer, table.asked.at(-1)?.hasty]).toEqual([true, 'failed', false]);
        if (wasAsked && hasCopy) mayRestUntil = now + 2000;
        if (!wasAsked) expect(now).toBeLessThan(mayRestUntil);
        if (hasCopy) {
          const then = history.findLast(({ from }) => from <= (lastAnswered ?? 0))?.version;
          const known = history.filter(({ from }) => from >= now - 5000).map(({ version }) => version);
          expect([then, ...known]).toContain((answer as { version?: number }).version);
        }
      }
    }),
  );
});

/** Times between the reads that the table gets while it refuses, with a visit every ten milliseconds. */
const restsOf = async (table: ReturnType<typeof aTable>['table'], visit: () => Promise<unknown>) => {
  table.takes = false;
  table.asked.length = 0;
  for (let ms = 0; ms < 4990; ms += 10, later(10)) await visit();
  const times = table.asked.map(({ at }) => at);
  return times.slice(1).map((at, n) => at - (times[n] ?? 0));
};

test('each refusal in a row lets the table rest longer, but not while the copy grows old', async () => {
  const { table, reads } = aTable();
  await reads.item(link);
  const rests = await restsOf(table, () => reads.item(link));
  // A random half is added to a half; here three quarters of 250 ms, 500 ms, one and two seconds. Later half of the time left.
  expect(rests.slice(0, 5)).toEqual([190, 380, 750, 1500, 1090]);
  for (const [i, rest] of rests.entries()) {
    const left = 5000 - rests.slice(0, i).reduce((sum, one) => sum + one, 0);
    if (i > 3) expect(rest).toBeLessThanOrEqual(left / 2 + 10);
  }
});

test('after one answer the next refusal lets the table rest nearly as long, after some it begins anew', async () => {
  const { table, reads } = aTable();
  const restAfter = async (answers: number) => {
    table.takes = true;
    for (let i = 0; i < answers; i += 1) await reads.item(link);
    const [rest] = await restsOf(table, () => reads.item(link));
    later(5000);
    return rest;
  };
  expect([await restAfter(1), await restAfter(1), await restAfter(2), await restAfter(5)]).toEqual([
    190, 1500, 750, 190,
  ]);
});

test('a table that does not answer rests at once for longest, and those without a copy learn it at once', async () => {
  const asked: boolean[] = [];
  let isAway = false;
  const port = (hasty: boolean) => ({
    get: async () => {
      asked.push(hasty);
      if (isAway) throw new AwsError({ name: 'TimeoutError' });
      return { version: 1 };
    },
    query: async () => [],
  });
  const reads = visitorReads(port(false), { hasty: port(true), random: () => 0.5 });
  await reads.item(link);
  isAway = true;
  expect(await reads.item(link)).toEqual({ version: 1 });
  later(1490);
  expect(await reads.item(link)).toEqual({ version: 1 });
  expect(asked).toEqual([false, true]);
  later(3510);
  const fail = () => expect(reads.item(link)).rejects.toThrow('Timeout');
  await fail();
  expect(asked).toEqual([false, true, false]);
  later(1490);
  await fail();
  expect(asked).toHaveLength(3);
  later(10);
  isAway = false;
  expect(await reads.item(link)).toEqual({ version: 1 });
});

test('an older read that is answered late replaces nothing', async () => {
  const answers: ((item: Item) => void)[] = [];
  const slow = {
    get: () => new Promise<Item>((resolve) => answers.push(resolve)),
    query: async () => [],
  };
  const refusing = { ...slow, get: async () => Promise.reject(throttled()) };
  const reads = visitorReads(slow, { hasty: refusing });
  const older = reads.item(link);
  later(10);
  const newer = reads.item(link);
  answers[1]?.({ version: 2 });
  await newer;
  answers[0]?.({ version: 1 });
  expect(await older).toEqual({ version: 1 });
  expect(await reads.item(link)).toEqual({ version: 2 });
});

test("a host's owner is read once in some seconds, and at least every five", async () => {
  const { table, reads } = aTable();
  for (let ms = 0; ms < 20_000; ms += 100, later(100)) {
    table.version = Date.now();
    const owner = await reads.recentItem(host('go.test'), { trustAbsence: false });
    expect(Date.now() - Number(owner?.version)).toBeLessThan(5000);
  }
  expect(table.asked).toHaveLength(5);
});

test("the absence of a host's owner counts only for callers that trust it", async () => {
  const { table, reads } = aTable();
  table.isAbsent = true;
  for (const trustAbsence of [true, true, false, false])
    await reads.recentItem(host('go.test'), { trustAbsence });
  expect(table.asked).toHaveLength(3);
});

test('made-up codes push no copy out', async () => {
  const { table, reads } = aTable();
  await reads.item(link);
  table.isAbsent = true;
  for (let i = 0; i < 500; i += 1) await reads.item({ PK: `LINK#acme#guess-${i}`, SK: 'LINK' });
  table.takes = false;
  expect(await reads.item(link)).toEqual({ version: 0 });
});

test('a copy ages while the table is asked, and then the table is asked patiently', async () => {
  let refuse: (error: Error) => void = () => undefined;
  const hasty = {
    get: () =>
      new Promise<Item>((_, reject) => {
        refuse = reject;
      }),
    query: async () => [],
  };
  let version = 0;
  const reads = visitorReads({ get: async () => ({ version }), query: hasty.query }, { hasty });
  await reads.item(link);
  version = 1;
  later(4000);
  const asked = reads.item(link);
  later(1000);
  refuse(throttled());
  expect(await asked).toEqual({ version: 1 });
});

test('a list may miss changes during its reading', async () => {
  let asked = 0;
  const query = async () => {
    asked += 1;
    later(1000);
    return [];
  };
  const reads = visitorReads({ get: async () => undefined, query }, { random: () => 0.5 });
  await reads.suspended();
  later(3000);
  await reads.suspended();
  expect(asked).toBe(2);
});

test('made-up hosts fill no memory', async () => {
  const { table, reads } = aTable();
  for (let i = 0; i <= 500; i += 1) await reads.recentItem(host(`host-${i}`), { trustAbsence: true });
  table.asked.length = 0;
  await reads.recentItem(host('host-500'), { trustAbsence: true });
  await reads.recentItem(host('host-1'), { trustAbsence: true });
  expect(table.asked).toEqual([]);
  await reads.recentItem(host('host-0'), { trustAbsence: true });
  expect(table.asked).toHaveLength(1);
});

describe('the list of suspended projects', () => {
  test('is at most five seconds old while it can be read', async () => {
    const { table, reads } = aTable();
    for (let ms = 0; ms < 20_000; ms += 100, later(100)) {
      table.names = [`at-${Date.now()}`];
      const [name = ''] = await reads.suspended();
      expect(Date.now() - Number(name.slice(3))).toBeLessThan(5000);
    }
    expect(table.asked).toHaveLength(5);
  });

  test('is never five seconds old for an API call, which otherwise fails', async () => {
    const { table, reads } = aTable();
    await reads.suspendedForCalls();
    table.names = ['acme'];
    table.takes = false;
    later(4900);
    expect(await reads.suspendedForCalls()).not.toContain('acme');
    later(100);
    await expect(reads.suspendedForCalls()).rejects.toThrow(AwsError);
    table.takes = true;
    expect(await reads.suspendedForCalls()).toContain('acme');
    expect(table.asked.filter(({ hasty }) => hasty)).toEqual([]);
  });

  test('goes on while it can not be renewed, with at most one query a second, and is counted', async () => {
    const { table, reads, counted } = aTable();
    table.names = ['acme'];
    await reads.suspended();
    table.takes = false;
    table.asked.length = 0;
    for (let ms = 0; ms < 60_000; ms += 100, later(100)) expect(await reads.suspended()).toContain('acme');
    const times = table.asked.map(({ at }) => at);
    for (const [i, at] of times.entries())
      expect(at - (times[i - 1] ?? -Infinity)).toBeGreaterThanOrEqual(1000);
    expect(times.length).toBeGreaterThan(20);
    expect(counted).toEqual(times.map(() => 'TakedownsStale'));
  });

  test('delays no visit in a new container that can not read it', async () => {
    const { table, reads, counted } = aTable();
    table.takes = false;
    for (let visit = 0; visit < 50; visit += 1) expect((await reads.suspended()).size).toBe(0);
    expect(table.asked).toEqual([{ at: Date.now(), what: 'list', hasty: true }]);
    expect(counted).toEqual(Array.from({ length: 50 }, () => 'TakedownsUnread'));
    table.takes = true;
    table.names = ['acme'];
    later(2000);
    expect(await reads.suspended()).toContain('acme');
  });

  test('is read once for visits at the same time, and not by a fleet in step', async () => {
    const { table, reads } = aTable();
    await Promise.all(Array.from({ length: 20 }, () => reads.suspended()));
    expect(table.asked).toHaveLength(1);
    const renewal = async (chance: number) => {
      let asked = 0;
      const query = async () => {
        asked += 1;
        return [];
      };
      const container = visitorReads({ get: async () => undefined, query }, { random: () => chance });
      const began = Date.now();
      for (; asked < 2; later(50)) await container.suspended();
      return Date.now() - began;
    };
    expect((await renewal(0.999)) - (await renewal(0))).toBeGreaterThan(1500);
  });
});
