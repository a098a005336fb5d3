import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startEngine, startFaultyEngine } from '../../local/testing.ts';
import {
  dataFolder,
  dropDataFolder,
  eventually,
  type RunningStack,
  startLocalStack,
} from '../support/local-stack.ts';
import { isNightly } from '../support/nightly.ts';

const visitors = 500;

/** Messages in the queues' files: a queue delivers one in twenty again after it was deleted. */
const waitingIn = (data: string): number => {
  const folder = path.join(data, 'queues');
  const waiting = new Set<string>();
  for (const file of readdirSync(folder)) {
    for (const line of readFileSync(path.join(folder, file), 'utf8').split('\n').filter(Boolean)) {
      const { put, removed } = JSON.parse(line);
      if (put) waiting.add(put.id);
      else waiting.delete(removed);
    }
  }
  return waiting.size;
};
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
    // What comes once more is known; that takes a minute. An ordinary click shows that all before it is in the figures.
    if (isNightly)
      expect(
        await eventually(
          async () => waitingIn(data),
          (waiting) => waiting === 0,
        ),
      ).toBe(0);
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
