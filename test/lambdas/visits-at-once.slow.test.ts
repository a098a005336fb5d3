import { TableModel } from '../../bench/launch-simulation/table-model.ts';
import { VirtualClock } from '../../bench/launch-simulation/virtual-clock.ts';
import { eachOf } from '../../core/base/each-of.ts';
import { visitorReads } from '../../core/cached-reads/visitor-reads.ts';
import { shortLinkStore } from '../../core/short-urls/short-link-store.ts';
import { excludedKey } from '../../core/table/figure-keys.ts';
import { linkKey } from '../../core/table/keys.ts';
import { openItems, type Transport } from '../../core/table/port.ts';
import { forClicks, forVisitors, once, type RetryPolicy } from '../../core/table/retry-policy.ts';
import { itemOfWire, wireItem } from '../../core/table/wire-values.ts';
import { clickStore } from '../../core/visits/click-store.ts';
import { excludedStore } from '../../core/visits/excluded-store.ts';
import type { LateWrite } from '../../core/visits/late-click-store.ts';
import { redirect } from '../../lambdas/short-urls/redirect.ts';
import { visitBy } from '../support/function-calls.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { isNightly } from '../support/nightly.ts';

/*
 * One container that answers 64 visits at the same time, as a web function would. Lambda's functions answer one after the
 * other, so nothing else shows what the visits of a container do to each other. The table is the model of the famous link,
 * on a virtual clock: reads take 4 ms and writes 7 on average, and the answers come in any order.
 */
const atOnce = 64;
const many = isNightly ? 10_000 : 4000;
const host = 'go.example.com';
const noon = Date.UTC(2026, 10, 22, 12);

interface Visit {
  readonly visitor?: number;
  readonly method?: string;
}

/** A container and its table, which takes so many reads of one link a second, and a third as many writes of its visitors. */
const aContainer = (clock: VirtualClock, readsPerSecond: number) => {
  const table = new TableModel({
    clock,
    scale: 3000 / readsPerSecond,
    count: 1,
    splitAfterSeconds: Infinity,
  });
  const setStatus = (status: string) => {
    const payload = { link: 'https://example.com/landing' };
    table.put(wireItem({ ...linkKey('acme', 'launch'), status, payload }));
  };
  setStatus('ACTIVE');
  const calls: string[] = [];
  const counting: Transport = (sent) => {
    calls.push(sent.action);
    return table.transport({ weight: 1 })(sent);
  };
  const tableFor = (policy: RetryPolicy) => openItems(counting, { name: 'links', policy });
  const queued: LateWrite[] = [];
  const handler = redirect({
    stores: {
      shortLinks: shortLinkStore(
        visitorReads(tableFor(forVisitors), { hasty: tableFor({ ...forClicks, deadlineMs: 500 }) }),
        host,
      ),
      clicks: clickStore(tableFor(forClicks)),
      excluded: excludedStore(tableFor(once)),
    },
    visitorSecret: 'secret',
    uniqueWindowSeconds: 90 * 86_400,
    enqueueClick: async (late) => void queued.push(late),
  });
  const visit = async ({ visitor = 0, method = 'GET' }: Visit = {}): Promise<number | undefined> => {
    const headers = { 'x-forwarded-host': host, 'cloudfront-viewer-address': `192.0.2.${visitor}:4711` };
    return (await visitBy(handler, '/acme/launch', { method, headers, now: new Date(clock.now) })).statusCode;
  };
  return { calls, hitsOf: () => hitsIn(table), queued, setStatus, table, visit };
};

const hitsIn = (table: TableModel): number[] =>
  [...table.all('VISITOR#')].map((item) => Number(itemOfWire(item).hits)).sort((a, b) => a - b);

/** So many visits, 64 at a time, and how often each status came. */
const visited = async (count: number, one: (number: number) => Promise<number | undefined>) => {
  const statuses: Record<string, number> = {};
  await eachOf(
    Array.from({ length: count }, (_, number) => number),
    atOnce,
    async (number) => {
      const status = String(await one(number));
      statuses[status] = (statuses[status] ?? 0) + 1;
    },
  );
  return statuses;
};

/** Plays a scene on a clock of its own, and returns the container's output. */
const play = async (scene: (clock: VirtualClock) => Promise<void>) => {
  const clock = new VirtualClock(noon);
  const restore = clock.install();
  const log = captureFunctionLog();
  try {
    const done = scene(clock);
    await clock.run(done);
    await done;
  } finally {
    log.stop();
    restore();
  }
  // A call of the API, which a file before this one in its process left to its retries, may end now. Visits have no key.
  const lines = log.lines.map((line) => JSON.parse(line)).filter(({ keyId }) => keyId === undefined);
  // Clicks that were written are counted once a minute.
  const isWritten = ({ message }: { readonly message: string }) => message === 'ClickWritten';
  expect(lines.filter(isWritten).length).toBeLessThan(5);
  return lines.filter((line) => !isWritten(line));
};

test('all are sent on and each is counted once, where the table has room', async () => {
  const lines = await play(async (clock) => {
    const { hitsOf, queued, visit } = aContainer(clock, 100_000);
    expect(await visited(2000, (number) => visit({ visitor: number % 40 }))).toEqual({ 302: 2000 });
    expect([hitsOf(), queued]).toEqual([Array(40).fill(50), []]);
  });
  expect(lines).toEqual([]);
});

test('all are sent on from copies and each is counted or queued once, where the table has none', async () => {
  let queuedClicks = 0;
  const lines = await play(async (clock) => {
    const { calls, hitsOf, queued, visit } = aContainer(clock, 300);
    expect(await visited(many, (number) => visit({ visitor: number % 40 }))).toEqual({ 302: many });
    const written = hitsOf().reduce((sum, hits) => sum + hits, 0);
    expect(written + queued.length).toBe(many);
    expect(new Set(queued.map(({ write: { id } }) => id)).size).toBe(queued.length);
    expect(calls.filter((action) => action === 'GetItem').length).toBeLessThan(many / 10);
    // Clicks for which the table has no room rest, and so do not ask it either.
    expect(calls.filter((action) => action === 'UpdateItem').length).toBeLessThan(many / 2);
    queuedClicks = queued.length;
  });
  const logged = lines.map(({ message, ClickQueued: times }) => [message, times]);
  expect(logged.every(([message]) => message === 'ClickQueued')).toBe(true);
  expect(logged.reduce((sum, [, times]) => sum + times, 0)).toBe(queuedClicks);
  expect(logged.length).toBeLessThan(20);
});

test('those that are no clicks are all counted, in few writes', async () => {
  const lines = await play(async (clock) => {
    const { calls, table, visit } = aContainer(clock, 100_000);
    const head = () => visit({ method: 'HEAD' });
    expect(await visited(2000, head)).toEqual({ 302: 2000 });
    await clock.after(10_000);
    await head();
    const { PK, SK } = excludedKey('acme', 'launch');
    expect(itemOfWire(table.get(PK, SK) ?? {})).toMatchObject({ 'x#head': 2001 });
    expect(calls.filter((action) => action === 'UpdateItem').length).toBeLessThan(30);
  });
  expect(lines).toEqual([]);
});

test.each([
  ['that can be read holds for every visit that begins after it', 100_000, 0],
  ['that can hardly be read holds after five seconds', 300, 5000],
])('a change in a table %s', async (_, readsPerSecond, lateMs) => {
  await play(async (clock) => {
    const { setStatus, visit } = aContainer(clock, readsPerSecond);
    const changes = [{ at: clock.now, status: 302 }];
    const end = noon + (isNightly ? 15_000 : 9000);
    const change = async () => {
      for (let turn = 0; clock.now < end; turn += 1) {
        await clock.after(3000 * clock.random());
        setStatus(turn % 2 === 0 ? 'PAUSED' : 'ACTIVE');
        changes.push({ at: clock.now, status: turn % 2 === 0 ? 404 : 302 });
      }
    };
    const seen = async () => {
      while (clock.now < end) {
        const begun = clock.now;
        const status = await visit();
        const known = changes.findLast(({ at }) => at <= begun - lateMs) ?? changes[0];
        const since = changes.slice(changes.indexOf(known as (typeof changes)[number]));
        // The status then, or a later one.
        if (!since.some((one) => one.status === status))
          throw new Error(
            `At ${begun - noon} a visit got ${status}, and the changes are ${JSON.stringify(changes)}`,
          );
        await clock.after(200 * clock.random());
      }
    };
    await Promise.all([change(), ...Array.from({ length: atOnce }, seen)]);
  });
});
