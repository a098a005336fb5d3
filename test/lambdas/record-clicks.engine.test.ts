import type { SQSRecord } from 'aws-lambda';
import { visitorKey } from '../../core/table/analytics-keys.ts';
import { linkKey } from '../../core/table/keys.ts';
import { type Click, clickStore, clickWrite } from '../../core/visits/click-store.ts';
import { lateClickStore } from '../../core/visits/late-click-store.ts';
import { clickRecorder, forLateClicks } from '../../lambdas/queues/record-clicks.ts';
import { aClick, unique } from '../support/builders.ts';
import { fileTable } from '../support/engine.ts';
import { fileFaults } from '../support/faults.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { openLeanTable } from '../support/lean-table.ts';
import { ofEachTest } from '../support/of-file.ts';

const db = fileTable();
const faulty = fileFaults(db);
let record: ReturnType<typeof clickRecorder>;
beforeAll(async () => {
  // Attempts as in the function, but few.
  const table = openLeanTable(faulty.endpoint, { ...forLateClicks, attempts: 3 });
  record = clickRecorder({ lateClicks: lateClickStore(table) });
});
const log = ofEachTest(captureFunctionLog);

const aLink = async () => {
  const code = unique('code');
  await db.table.put({ Item: linkKey('acme', code) });
  return code;
};

const clickOn = (code: string, visitor = 'visitor') => aClick({ code, visitor });

const message = (click: Click, isSure = true) =>
  ({
    messageId: unique('message'),
    body: JSON.stringify({ v: 1, write: clickWrite(click), isSure }),
  }) as SQSRecord;

const hits = async (code: string, visitor = 'visitor') =>
  (await db.table.get(visitorKey('acme', code, visitor)))?.hits;
const metrics = () => log.lines.map((line) => JSON.parse(line).message);

test('counts a batch with a message that comes twice, and looks once for its link', async () => {
  const code = await aLink();
  const calls: string[] = [];
  faulty.fault = (operation, body) => {
    if (operation === 'GetItem' && body.includes('"LINK"')) calls.push(body);
    return 'none';
  };
  const messages = Array.from({ length: 40 }, (_, i) => message(clickOn(code, `visitor-${i % 4}`)));
  expect(await record({ Records: [...messages, ...messages] })).toEqual({ batchItemFailures: [] });
  expect([await hits(code, 'visitor-0'), await hits(code, 'visitor-3')]).toEqual([10, 10]);
  expect([calls.length, metrics()]).toEqual([1, []]);
});

test('reports only the messages that were not counted', async () => {
  const code = await aLink();
  const [good, bad] = [message(clickOn(code, 'good')), message(clickOn(code, 'bad'))];
  const broken = { messageId: 'broken', body: 'no JSON' } as SQSRecord;
  faulty.fault = (_, body) => (body.includes('CLICKS#bad') ? 'throttle' : 'none');
  const { batchItemFailures } = await record({ Records: [bad, broken, good] });
  expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).sort()).toEqual(
    [bad.messageId, 'broken'].sort(),
  );
  expect([await hits(code, 'good'), await hits(code, 'bad')]).toEqual([1, undefined]);
});

test('reports the messages that it had no time for', async () => {
  const code = await aLink();
  const messages = [message(clickOn(code)), message(clickOn(code))];
  const now = jest.spyOn(Date, 'now');
  faulty.fault = (operation) => {
    // Each write takes most of the function's minute.
    if (operation === 'UpdateItem') now.mockReturnValue(Date.now() + 50_000);
    return 'none';
  };
  const { batchItemFailures } = await record({ Records: messages });
  now.mockRestore();
  expect(batchItemFailures).toEqual([{ itemIdentifier: messages[1]?.messageId }]);
  expect(await hits(code)).toBe(1);
});

test("writes one visitor's clicks one after the other", async () => {
  const code = await aLink();
  let updates = 0;
  faulty.fault = (operation) => {
    if (operation === 'UpdateItem') updates += 1;
    return 'none';
  };
  await record({ Records: Array.from({ length: 10 }, () => message(clickOn(code))) });
  expect([await hits(code), updates]).toEqual([10, 10]);
});

test('forgets a click whose link is gone with its project', async () => {
  const code = unique('code');
  expect(await record({ Records: [message(clickOn(code))] })).toEqual({ batchItemFailures: [] });
  expect([await hits(code), metrics()]).toEqual([undefined, ['ClickForgotten']]);
});

test('looks for the link of each project that has the same code', async () => {
  const code = await aLink();
  const gone = { ...clickOn(code), project: 'gone' };
  const records = [message(gone), message(clickOn(code))];
  expect(await record({ Records: records })).toEqual({ batchItemFailures: [] });
  expect([await hits(code), metrics()]).toEqual([1, ['ClickForgotten']]);
});

test('reports a click that may have been counted already', async () => {
  const code = await aLink();
  const first = clickOn(code);
  const clicks = clickStore(db.table);
  for (let i = 0; i < 5; i += 1) await clicks.record(clickWrite(clickOn(code)));
  await record({ Records: [message(first, false)] });
  expect([await hits(code), metrics()]).toEqual([5, ['ClickUncertain']]);
});
