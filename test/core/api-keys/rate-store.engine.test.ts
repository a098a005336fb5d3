import { rateStore, rateWindow } from '../../../core/api-keys/rate-store.ts';
import { rateKey } from '../../../core/table/keys.ts';
import { startFaultyEngine } from '../../../local/testing/faulty-engine.ts';
import { unique } from '../../support/builders.ts';
import { fileTable } from '../../support/engine.ts';
import { openWholeTable } from '../../support/lean-table.ts';
import { ofFile } from '../../support/of-file.ts';

const db = fileTable();
const faulty = ofFile(() => startFaultyEngine(db.endpoint));
const rates = ofFile(() => rateStore(openWholeTable(faulty.endpoint)));
afterEach(() => {
  faulty.fault = () => 'none';
});

const now = new Date('2026-03-01T10:20:00.000Z');

/** Loses the response to the next write, after it is made. */
const loseNextAnswer = () => {
  let lost = false;
  faulty.fault = () => {
    if (lost) return 'none';
    lost = true;
    return 'lose-answer';
  };
};

test('a call whose response was lost counts, twice at most', async () => {
  const keyId = unique('key');
  loseNextAnswer();
  expect((await rates.take({ keyId }, now, 100)).used).toBe(2);
  expect((await rates.take({ keyId }, now, 100)).used).toBe(3);
});

test('a window stays within one write unit', async () => {
  const keyId = unique('key');
  await Promise.all(Array.from({ length: 200 }, () => rates.take({ keyId: keyId }, now, 1000)));
  const item = await db.table.get(rateKey(keyId, rateWindow(now).hour));
  expect(item?.n).toBe(200);
  expect(JSON.stringify(item).length).toBeLessThan(1024);
});

test('recent calls are those of this hour and the one before, by key', async () => {
  const [busy, other] = [unique('key'), unique('key')];
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  for (const hours of [0, 0, 1, 2]) await rates.take({ keyId: busy }, hoursAgo(hours), 100);
  expect(await rates.recent([other, busy], now)).toEqual([
    { thisHour: 0, lastHour: 0 },
    { thisHour: 2, lastHour: 1 },
  ]);
});

test.each<[string, () => { readonly keyId: string; readonly counter?: string }]>([
  ['a key', () => ({ keyId: unique('key') })],
  ["one of a member's keys", () => ({ keyId: unique('key'), counter: unique('m') })],
])('%s that is closed just before an hour ends is refused in the next one', async (_, caller) => {
  const closed = caller();
  const end = new Date('2026-03-01T10:59:59.900Z');
  await db.table.transact(rates.closing(closed, end));
  for (const at of [end, new Date('2026-03-01T11:01:00.000Z')]) {
    await expect(rates.take(closed, at, 10)).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
    await expect(rates.peek(closed, at, 10)).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
  }
});
