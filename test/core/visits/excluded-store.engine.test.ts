import { figureStore } from '../../../core/figures/figure-store.ts';
import { excludedOf } from '../../../core/figures/figures.ts';
import { excludedKey, excludedPrefix, figuresKey } from '../../../core/table/figure-keys.ts';
import { once } from '../../../core/table/retry-policy.ts';
import { excludedStore } from '../../../core/visits/excluded-store.ts';
import { startFaultyEngine } from '../../../local/testing/faulty-engine.ts';
import { unique } from '../../support/builders.ts';
import { fileTable } from '../../support/engine.ts';
import { openLeanTable } from '../../support/lean-table.ts';
import { ofFile } from '../../support/of-file.ts';

const db = fileTable();
const faulty = ofFile(() => startFaultyEngine(db.endpoint));
const store = ofFile(() => excludedStore(openLeanTable(faulty.endpoint, once)));
afterEach(() => {
  faulty.fault = () => 'none';
});

const aLink = () => ({ project: 'acme', code: unique('code') });
const stored = async ({ project, code }: ReturnType<typeof aLink>) =>
  excludedOf(await db.table.get(excludedKey(project, code)));

test('adds visits by reason, and not to the figures of their link', async () => {
  const link = aLink();
  await store.add({ ...link, reasons: { bot: 2, head: 1 } });
  await store.add({ ...link, reasons: { bot: 3, 'social-crawler': 1 } });
  expect(await stored(link)).toEqual({ bot: 5, head: 1, 'social-crawler': 1 });
  expect(await db.table.get(figuresKey(link))).toBeUndefined();
});

test('shows them with those that version 1.0.0 counted in the figures of their link', async () => {
  const link = aLink();
  await db.table.put({
    Item: { ...figuresKey(link), n: 7, [`${excludedPrefix}bot`]: 2, [`${excludedPrefix}head`]: 1 },
  });
  await store.add({ ...link, reasons: { bot: 3, debug: 1 } });
  const { figures, excluded } = await figureStore(db.table).find(link.project, link.code);
  expect([figures.clicks, excluded]).toEqual([7, { bot: 5, head: 1, debug: 1 }]);
});

test.each(['lose-answer', 'hang'] as const)('sends a write once without a response: %s', async (fault) => {
  const link = aLink();
  // Opens the connection that the next write finds in the pool.
  await store.add({ ...link, reasons: { head: 1 } });
  let calls = 0;
  faulty.fault = () => (calls++ === 0 ? fault : 'none');
  await expect(store.add({ ...link, reasons: { bot: 1 } })).rejects.toThrow();
  expect(calls).toBe(1);
  expect((await stored(link)).bot ?? 0).toBe(fault === 'hang' ? 0 : 1);
});
