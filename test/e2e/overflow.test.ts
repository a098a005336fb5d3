import { startEngine, startFaultyEngine } from '../../local/testing.ts';
import {
  dataFolder,
  dropDataFolder,
  eventually,
  type RunningStack,
  startLocalStack,
} from '../support/local-stack.ts';

const visitors = 500;
let stack: RunningStack | undefined;

test('clicks that the table has no room for are counted later, each once, over a kill -9', async () => {
  const data = dataFolder();
  const engine = await startEngine({ engine: 'dynoxide' });
  const table = await startFaultyEngine(engine.endpoint);
  try {
    stack = await startLocalStack(data, '--engine', table.endpoint);
    const body = { code: 'famous', payload: { link: 'https://example.com/' } };
    expect((await stack.api('POST', '/links', { body })).status).toBe(201);
    let refused = 0;
    // The table takes what comes by the queue, and nothing from visitors: neither alone nor in the gateway's groups.
    table.fault = (operation, sent) => {
      const isClick = /^(UpdateItem|TransactWriteItems)$/.test(operation) && sent.includes('"VISITOR#');
      if (!isClick || sent.includes('"#late"')) return 'none';
      refused += 1;
      return 'throttle';
    };
    const visits = await Promise.all(
      Array.from({ length: visitors }, (_, i) =>
        (stack as RunningStack).visit('/famous', { 'x-sim-viewer-address': `198.51.${i >> 8}.${i & 255}` }),
      ),
    );
    expect(new Set(visits.map(({ status }) => status))).toEqual(new Set([302]));
    expect(refused).toBeGreaterThan(0);
    await stack.stop('SIGKILL');
    stack = await startLocalStack(data, '--engine', table.endpoint);
    const all = await eventually(
      () => (stack as RunningStack).api('GET', '/links/famous'),
      ({ body: { data: link } }) => link.clickCount >= visitors,
    );
    expect(all.body.data.analytics).toMatchObject({ totalClicks: visitors, uniqueClicks: visitors });
    // What comes once more, as the queue now and then does, is known. An ordinary click shows that all before it is in.
    table.fault = () => 'none';
    await stack.visit('/famous', { 'x-sim-viewer-address': '203.0.113.1' });
    const after = await eventually(
      () => (stack as RunningStack).api('GET', '/links/famous'),
      ({ body: { data: link } }) => link.clickCount > visitors,
    );
    expect(after.body.data.clickCount).toBe(visitors + 1);
    const byHour = await stack.api('GET', '/analytics?code=famous&groupBy=count&interval=24h');
    expect(byHour.body.data).toEqual({ clicks: visitors + 1, uniqueClicks: visitors + 1 });
  } finally {
    await stack?.stop();
    await table.stop();
    await engine.stop();
    dropDataFolder(data);
  }
});
