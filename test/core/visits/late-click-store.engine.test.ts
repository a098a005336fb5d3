import { visitorKey } from '../../../core/table/analytics-keys.ts';
import { linkKey } from '../../../core/table/keys.ts';
import {
  type AppOpen,
  clickStore,
  clickWrite,
  openWrite,
  type VisitorWrite,
} from '../../../core/visits/click-store.ts';
import { type LateWrite, lateClickStore } from '../../../core/visits/late-click-store.ts';
import { aClick, unique } from '../../support/builders.ts';
import { fileTable } from '../../support/engine.ts';
import { fileFaults } from '../../support/faults.ts';
import { openLeanTable } from '../../support/lean-table.ts';
import { ofFile } from '../../support/of-file.ts';

const db = fileTable();
const faulty = fileFaults(db);
const clicks = ofFile(() => clickStore(openLeanTable(faulty.endpoint)));
const lateClicks = ofFile(() => lateClickStore(openLeanTable(faulty.endpoint)));

const day = 86_400;
const noon = Date.parse('2026-03-01T12:00:00.000Z');
const after = (seconds: number) => new Date(noon + seconds * 1000);

const aVisitor = () => {
  const code = unique('code');
  const click = (seconds: number) => aClick({ code, at: after(seconds) });
  return { click, item: () => db.table.get(visitorKey('acme', code, 'visitor')) };
};

const sure = (write: VisitorWrite): LateWrite => ({ write, isSure: true });
const unsure = (write: VisitorWrite): LateWrite => ({ write, isSure: false });
const record = (late: LateWrite, seconds = 3600) => lateClicks.record(late, after(seconds));

test('a click that the table refused counts once, at its own time, however often it is delivered', async () => {
  const { click, item } = aVisitor();
  const late = sure(clickWrite(click(0)));
  expect([await record(late), await record(late), await record(late)]).toEqual(['counted', 'known', 'known']);
  expect(await item()).toMatchObject({ hits: 1, visit: { seen: noon / 1000, country: 'DE' } });
});

test('a click whose first write was made without a response does not count again', async () => {
  const { click, item } = aVisitor();
  const first = click(0);
  await clicks.record(clickWrite(first));
  for (let i = 1; i <= 3; i += 1) await clicks.record(clickWrite(click(i)));
  expect(await record(unsure(clickWrite(first)))).toBe('known');
  expect((await item())?.hits).toBe(4);
});

test('a click whose first write may have been forgotten is uncertain, and does not count', async () => {
  const { click, item } = aVisitor();
  const first = click(0);
  await clicks.record(clickWrite(first));
  for (let i = 1; i <= 4; i += 1) await clicks.record(clickWrite(click(i)));
  expect(await record(unsure(clickWrite(first)))).toBe('uncertain');
  // Nor after a late click of an earlier time.
  expect(await record(sure(clickWrite(click(-7200))))).toBe('counted');
  expect(await record(unsure(clickWrite(first)))).toBe('uncertain');
  expect((await item())?.hits).toBe(6);
});

const seconds = (count: number, first: number) => Array.from({ length: count }, (_, i) => first + i);

test.each([
  // The first write may have taken a minute to reach the table.
  ['four came from a minute before', seconds(4, -60), 0, 'uncertain'],
  ['three came from a minute before, and one earlier', seconds(4, -61), 0, 'counted'],
  ['four came after it', seconds(4, 1), 0, 'uncertain'],
  ['four came hours before it, and three after', [...seconds(4, -7200), ...seconds(3, 1)], 0, 'counted'],
  ['nobody came after it', seconds(9, 0), 600, 'counted'],
  ['few came after it', seconds(3, 1), 0, 'counted'],
] as const)('a click without a response, where %s, is %s', async (_, others, at, outcome) => {
  const { click, item } = aVisitor();
  for (const second of others) await clicks.record(clickWrite(click(second)));
  expect(await record(unsure(clickWrite(click(at))))).toBe(outcome);
  expect((await item())?.hits).toBe(others.length + (outcome === 'counted' ? 1 : 0));
});

test('a late click pushes no other one out, so that one is certain', async () => {
  const { click } = aVisitor();
  for (let i = 0; i < 4; i += 1) await clicks.record(clickWrite(click(i)));
  expect(await record(sure(clickWrite(click(600))))).toBe('counted');
  expect(await record(unsure(clickWrite(click(300))))).toBe('counted');
});

test('a first write that is carried out after the queue has brought the click counts nothing', async () => {
  const { click, item } = aVisitor();
  const first = click(0);
  expect(await record(unsure(clickWrite(first)))).toBe('counted');
  await clicks.record(clickWrite(first));
  expect((await item())?.hits).toBe(1);
});

test('an older click does not shorten the time for which its visitor is known', async () => {
  const { click, item } = aVisitor();
  await clicks.record(clickWrite(click(5 * day)));
  await record(sure(clickWrite(click(0))), 6 * day);
  const seen = noon / 1000;
  expect(await item()).toMatchObject({
    hits: 2,
    visit: { seen, newFrom: seen + 95 * day },
    ttl: seen + 96 * day,
  });
});

test('a visitor is not deleted while the queue may deliver the same click again', async () => {
  const { click, item } = aVisitor();
  await record(sure(clickWrite({ ...click(0), windowSeconds: day })), 10 * day);
  expect((await item())?.ttl).toBe(noon / 1000 + 25 * day);
});

test('a click without a response is uncertain once its visitor may have been deleted', async () => {
  const { click } = aVisitor();
  const write = clickWrite({ ...click(0), windowSeconds: day });
  expect(await record(unsure(write), 2 * day)).toBe('uncertain');
  expect(await record(unsure(write), 2 * day - 1)).toBe('counted');
});

test('clicks of one visitor that are written at once all count', async () => {
  const { click, item } = aVisitor();
  const late = Array.from({ length: 8 }, (_, i) => sure(clickWrite(click(i))));
  await Promise.all([
    ...late.flatMap((one) => [record(one), record(one)]),
    ...Array.from({ length: 8 }, (_, i) => clicks.record(clickWrite(click(100 + i)))),
  ]);
  expect((await item())?.hits).toBe(16);
});

test('a visitor with 500 late clicks still has each of them', async () => {
  const { click, item } = aVisitor();
  const writes = Array.from({ length: 500 }, (_, i) => clickWrite(click(i)));
  for (const write of writes) await record(sure(write));
  for (const write of [writes[0], writes[250], writes[499]])
    expect(await record(sure(write as VisitorWrite))).toBe('known');
  expect((await item())?.hits).toBe(500);
  const newest = sure(clickWrite(click(500)));
  expect([await record(newest), await record(newest)]).toEqual(['counted', 'known']);
});

test('an app open counts once, apart from clicks', async () => {
  const code = unique('code');
  const place = { project: 'acme', code, visitor: 'visitor', platform: 'ios' } as const;
  const open: AppOpen = { ...place, requestId: unique('open'), isFirst: true, at: after(0) };
  await clicks.record(openWrite({ ...open, requestId: unique('open'), isFirst: false }));
  const write = openWrite(open);
  expect([await record(sure(write)), await record(sure(write))]).toEqual(['counted', 'known']);
  await clicks.record(openWrite(open));
  expect(await db.table.get(write.Key)).toMatchObject({ opens: 2, firstOpens: 1 });
});

test.each(['throttle', 'lose-answer'] as const)('counts once with every second call: %s', async (fault) => {
  const { click, item } = aVisitor();
  let calls = 0;
  faulty.fault = () => (calls++ % 2 === 0 ? fault : 'none');
  const outcome = await record(sure(clickWrite(click(0))));
  expect([outcome, (await item())?.hits]).toEqual([fault === 'throttle' ? 'counted' : outcome, 1]);
});

test('finds whether a link is there', async () => {
  const code = unique('code');
  const link = { project: 'acme', code };
  expect(await lateClicks.hasLink(link)).toBe(false);
  await db.table.put({ Item: { ...linkKey('acme', code), status: 'DELETED' } });
  expect(await lateClicks.hasLink(link)).toBe(true);
});
