import { startEngine, startFaultyEngine } from '../../local/testing.ts';
import { localDeployment } from '../../ops/deployment/deployment.ts';
import { findWaitingClicks } from '../../ops/links/waiting-clicks.ts';
import { newFolder } from '../support/folder.ts';
import { eventually, expectEventually, type RunningStack, startLocalStack } from '../support/local-stack.ts';
import { isNightly, testAtNight } from '../support/nightly.ts';

const visitors = 100;
/** With more, a busy machine's queue would take some clicks too late, and these would be lost. */
const visitorsAtOnce = 50;

let stack: RunningStack | undefined;

testAtNight(
  'clicks that the table has no room for are counted later, each once, over a kill -9',
  async () => {
    const data = newFolder();
    const engine = await startEngine({ engine: 'sqlite' });
    const table = await startFaultyEngine(engine.endpoint);
    try {
      stack = await startLocalStack(data, '--engine', table.endpoint);
      const body = { code: 'famous', payload: { link: 'https://example.com/' } };
      expect((await stack.api('POST', '/links', { body })).status).toBe(201);
      let refused = 0;
      let takesLate = false;
      const waiting = async () => findWaitingClicks(await localDeployment(data));
      // The table refuses all clicks, also those in the gateway's shared commits; later it takes those that come by the queue.
      table.fault = (operation, sent) => {
        const isClick = /^(UpdateItem|TransactWriteItems)$/.test(operation) && sent.includes('"VISITOR#');
        if (!isClick || (takesLate && sent.includes('"late"'))) return 'none';
        refused += 1;
        return 'throttle';
      };
      const addresses = Array.from({ length: visitors }, (_, i) => `198.51.100.${i}`).values();
      const statuses = new Set<number>();
      const visiting = async ({ visit }: RunningStack) => {
        for (const address of addresses)
          statuses.add((await visit('/famous', { 'x-sim-viewer-address': address })).status);
      };
      const running = stack;
      await Promise.all(Array.from({ length: visitorsAtOnce }, () => visiting(running)));
      expect(statuses).toEqual(new Set([302]));
      expect(refused).toBeGreaterThan(0);
      /** Every opening from three addresses at once. */
      const open = async ({ visit }: RunningStack) => {
        for (let i = 0; i < 10; i += 1) {
          const path = `/famous/open.json?platform=ios&openId=opening-number-${i}`;
          const sending = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) =>
            visit(path, { 'User-Agent': 'okhttp/4.12.0', 'x-sim-viewer-address': address }),
          );
          for (const { status } of await Promise.all(sending)) expect(status).toBe(200);
        }
      };
      await open(stack);
      const { clicks = 0, since = '' } = (await waiting()) ?? {};
      expect(clicks).toBeGreaterThan(0);
      expect(Date.parse(since)).toBeLessThanOrEqual(Date.now());
      await stack.stop('SIGKILL');
      takesLate = true;
      stack = await startLocalStack(data, '--engine', table.endpoint);
      await open(stack);
      const analytics = async () =>
        (await (stack as RunningStack).api('GET', '/links/famous')).body.data.analytics;
      const all = { totalClicks: visitors, uniqueClicks: visitors };
      await expectEventually(analytics).toMatchObject(all);
      // Repeated messages count nothing; until they are gone takes seconds. An ordinary click shows that all before it is in the analytics.
      if (isNightly) expect(await eventually(waiting, (left) => left === undefined)).toBeUndefined();
      table.fault = () => 'none';
      await stack.visit('/famous', { 'x-sim-viewer-address': '203.0.113.1' });
      await expectEventually(analytics).toMatchObject({ totalClicks: visitors + 1 });
      const byHour = await stack.api('GET', '/analytics?code=famous&groupBy=count&interval=24h');
      expect(byHour.body.data).toEqual({ clicks: visitors + 1, uniqueClicks: visitors + 1 });
      await open(stack);
      const opens = await stack.api('GET', '/analytics?code=famous&event=opens');
      expect(opens.body.data).toEqual({ opens: 10, firstOpens: 0 });
    } finally {
      await stack?.stop();
      await table.stop();
      await engine.stop();
    }
  },
);
