import fc from 'fast-check';
import { createAppLinks } from '../../client/app-links.ts';
import { isNightly } from '../support/nightly.ts';
import { day, deferredUrl, type Outcome, World } from './app-world.ts';

/* Every order of starts, events, failures and crashes, in memory. */

const { setImmediate } = globalThis;
beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] }));
afterEach(() => void jest.useRealTimers());

/** Lets everything that waits for nothing outside go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

type Kind = 'launch' | 'dead' | 'carried' | 'foreign';
type Step =
  | { readonly start: Kind | 'nothing' }
  | { readonly emit: Kind | 'again' }
  | { readonly end: number; readonly outcome: Outcome }
  | { readonly wait: number }
  | 'listen'
  | 'stop'
  | 'retry';

const kinds: Kind[] = ['launch', 'launch', 'dead', 'carried', 'foreign'];
const outcomes: Outcome[] = ['works', 'works', 'works', 'fails', 'lost', 'busy', 'hangs'];
const waits = [100, 1900, 2000, 5000, day, 5 * day, 6 * day, 8 * day];
const start: fc.Arbitrary<Step> = fc.record({
  start: fc.constantFrom(...kinds, 'nothing' as const, 'nothing' as const),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ end: fc.nat(5), outcome: fc.constantFrom(...outcomes) }) },
  { weight: 5, arbitrary: fc.record({ emit: fc.constantFrom(...kinds, 'again' as const) }) },
  { weight: 3, arbitrary: fc.constantFrom<Step>('listen', 'listen', 'stop', 'retry') },
  { weight: 2, arbitrary: fc.record({ wait: fc.constantFrom(...waits) }) },
  { weight: 1, arbitrary: start },
);

const schedules = fc.record({
  platform: fc.constantFrom('ios' as const, 'android' as const),
  canStorageFail: fc.boolean(),
  steps: fc
    .tuple(start, fc.array(step, { maxLength: 40, size: 'max' }))
    .map(([first, others]) => [first, ...others]),
});
type Schedule = typeof schedules extends fc.Arbitrary<infer One> ? One : never;

const addresses = () => {
  let number = 0;
  return (kind: Kind): string => {
    number += 1;
    const carried = encodeURIComponent(`https://shop.example.com/direct?n=${number}`);
    if (kind === 'carried') return `https://go.example.com/?link=${carried}`;
    if (kind === 'foreign') return `https://elsewhere.example/launch?n=${number}`;
    return `https://go.example.com/${kind}?n=${number}`;
  };
};

/** Plays a schedule; then everything works again, somebody listens, and `retry` is called. */
const play = async ({ platform, canStorageFail, steps }: Schedule) => {
  const world = new World(createAppLinks, platform);
  const addressOf = addresses();
  const take = async (one: Step) => {
    if (one === 'listen') world.listen();
    else if (one === 'stop') world.stopListening();
    else if (one === 'retry') void world.app.links.retry();
    else if ('start' in one) world.start(one.start === 'nothing' ? null : addressOf(one.start));
    else if ('wait' in one) jest.advanceTimersByTime(one.wait);
    else if ('end' in one) world.end(one.end, one.outcome, canStorageFail);
    else
      world.emit(
        (one.emit === 'again' && world.app.opened.at(-1)) ||
          addressOf(one.emit === 'again' ? 'launch' : one.emit),
      );
    await settle();
  };
  for (const one of steps) await take(one);
  const finish = async () => {
    do await settle();
    while (world.end(0, 'works', false));
    jest.advanceTimersByTime(5000);
    await settle();
  };
  if (!world.isListening) world.listen();
  await finish();
  await finish();
  let left: number | undefined;
  void world.app.links.retry().then((number) => {
    left = number;
  });
  await finish();
  return { world, left };
};

/** The key of an opened address; undefined if it is none of ours. */
const keyOf = (url: string): string | undefined =>
  new URL(url).searchParams.get('link') ?? (url.startsWith('https://go.example.com/') ? url : undefined);

const times = (list: readonly (string | undefined)[], key: string): number =>
  list.filter((one) => one === key).length;

type Process = World['processes'][number];

/** Checks what one process delivered; the last one has had the time to deliver everything. */
const checkDeliveries = ({ opened, delivered, kept, initial, isFirstStart }: Process, isLast: boolean) => {
  const own = opened.map(keyOf).filter((key) => key !== undefined);
  if (initial?.first) own.push(deferredUrl);
  const seen = delivered.map(({ shortUrl, link }) => shortUrl ?? link ?? '');
  for (const key of new Set([...own, ...seen])) {
    const resolved = delivered.filter((one, index) => seen[index] === key && one.resolved).length;
    expect(times(seen, key) - resolved).toBeLessThanOrEqual(times(own, key));
    expect(resolved).toBeLessThanOrEqual(times(own, key) + times(kept, key));
    if (isLast) expect([key, resolved >= times(own, key)]).toEqual([key, true]);
  }
  expect(delivered.map(({ first }) => first)).toEqual(seen.map((key) => key === deferredUrl));
  if (initial?.first) expect(isFirstStart).toBe(true);
};

/** Checks what started a process whose start is over. */
const checkStart = ({ coldUrl, initial, isFirstStart }: Process, isSound: boolean) => {
  const cold = coldUrl && keyOf(coldUrl);
  const key = initial && (initial.shortUrl ?? initial.link);
  if (cold) expect([key, initial?.first]).toEqual([cold, false]);
  else if (isSound && isFirstStart) expect(key).toBe(deferredUrl);
  else expect([null, isFirstStart && deferredUrl]).toContain(key);
};

const checkCounts = ({ counts, processes, everStored, isStorageSound }: World) => {
  const opened = [...processes.flatMap((one) => one.opened), deferredUrl];
  for (const { shortUrl } of counts) {
    const counted = counts.filter((one) => one.shortUrl === shortUrl).length;
    expect(counted).toBeLessThanOrEqual(times(opened, shortUrl));
  }
  const ids = new Set(counts.map(({ openId }) => openId));
  expect(ids.size).toBe(counts.length);
  expect(counts.every(({ shortUrl, isFirst }) => isFirst === (shortUrl === deferredUrl))).toBe(true);
  if (!isStorageSound) return;
  for (const [openId, { shortUrl, at }] of everStored)
    if (!shortUrl.includes('/dead') && Date.now() - at < 6 * day) expect(ids).toContain(openId);
};

test('each event is delivered once, each opening counted once, and the deferred link found once', async () => {
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      const { world, left } = await play(schedule);
      // Storage holds twenty.
      fc.pre(world.processes.flatMap(({ opened }) => opened).length < 20);
      const { processes, app } = world;
      expect(world.failures).toEqual([]);
      for (const process of processes) checkDeliveries(process, process === app);
      checkStart(app, world.isStorageSound && !world.hasReferrerFailed);
      expect(processes.filter(({ initial }) => initial?.first).length).toBeLessThanOrEqual(1);
      expect(app.links.initial()).toBe(app.links.initial());
      expect(left).toBe(0);
      checkCounts(world);
    }),
    { numRuns: isNightly ? 20_000 : 50 },
  );
});

test('storage keeps the latest twenty openings', async () => {
  const world = new World(createAppLinks, 'ios');
  world.start(null);
  for (let n = 1; n <= 21; n += 1) {
    world.emit(`https://go.example.com/launch?n=${n}`);
    await settle();
    while (world.end(0, 'fails', false)) await settle();
  }
  world.start(null);
  const { kept } = world.app;
  expect([kept.length, kept[0]]).toEqual([20, 'https://go.example.com/launch?n=2']);
});

describe('openings in storage', () => {
  let stored: string | null = null;
  let writes: ('works' | 'fails')[] = [];
  let asked: string[] = [];
  let isOnline = true;
  const begin = (address: string | null) =>
    createAppLinks({
      hosts: ['go.example.com'],
      platform: 'ios',
      linking: { getInitialURL: async () => address, addEventListener: () => undefined },
      storage: {
        getItem: async () => stored,
        setItem: async (_, text) => {
          if (writes.shift() === 'fails') throw new Error('The storage is full');
          stored = text;
        },
      },
      clipboard: async () => deferredUrl,
      fetch: async (address) => {
        asked.push(address.replace(/\?.*/, ''));
        if (!isOnline) throw new Error('There is no network');
        return { status: 200, json: async () => ({ link: 'https://shop.example.com/' }) };
      },
    });
  beforeEach(() => {
    stored = '[]';
    writes = [];
    asked = [];
    isOnline = true;
  });

  test('a failed write is repeated by the next retry', async () => {
    writes = ['works', 'fails'];
    const links = begin('https://go.example.com/launch');
    expect(await links.initial()).toMatchObject({ resolved: true });
    expect(stored).toContain('launch');
    expect(await links.retry()).toBe(0);
    expect(stored).toBe('[]');
  });

  test("a retry doesn't report a first launch that couldn't be stored", async () => {
    stored = null;
    writes = ['fails'];
    const links = begin(null);
    expect(await links.initial()).toBeNull();
    await links.retry();
    expect(await begin(null).initial()).toMatchObject({ first: true });
  });

  test('a deferred opening of an earlier process is not asked again', async () => {
    stored = null;
    isOnline = false;
    expect(await begin(null).initial()).toMatchObject({ first: true, resolved: false });
    expect(stored).toBe('[]');
    stored = JSON.stringify([
      { openId: 'of-1-3-0-of-1-3-0', shortUrl: deferredUrl, at: Date.now(), first: true },
    ]);
    asked = [];
    expect(await begin(null).retry()).toBe(0);
    expect(asked).toEqual([]);
  });

  test('an opening isn’t counted after the clock was set back by a day', async () => {
    isOnline = false;
    await begin('https://go.example.com/launch').initial();
    jest.setSystemTime(Date.now() - day);
    isOnline = true;
    await begin(null).retry();
    expect(asked.map((address) => address.slice(-9))).toEqual(['open.json', 'link.json']);
  });
});
