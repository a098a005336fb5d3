import { visitorKey } from '../../core/table/analytics-keys.ts';
import { AwsError } from '../../core/table/errors.ts';
import type { VisitorWrite } from '../../core/visits/click-store.ts';
import type { LateWrite } from '../../core/visits/late-click-store.ts';
import { recorder } from '../../lambdas/short-urls/recorder.ts';
import { unique } from '../support/builders.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { ofEachTest } from '../support/of-file.ts';

const log = ofEachTest(captureFunctionLog);
beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(Math, 'random').mockReturnValue(0.999);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const aClick = (code: string, { visitor = 'v', groups = 1 } = {}): VisitorWrite => ({
  Key: visitorKey('acme', code, visitor, groups),
  adds: { hits: 1 },
  id: unique('click'),
  visit: { seen: 0 },
  ttl: 1,
});

const throttled = new AwsError({ name: 'ThrottlingException' });
const unanswered = new AwsError({ name: 'TimeoutError' });
const refused = new AwsError({ name: 'ValidationException' });

/** A container's counting, and each click's outcome: written to the table, or put aside. */
const aContainer = () => {
  const queued: LateWrite[] = [];
  const record = jest.fn(async (_: VisitorWrite) => undefined);
  const enqueueClick = jest.fn(async (late: LateWrite) => void queued.push(late));
  const count = recorder({ clicks: { record } }, enqueueClick);
  const failing = async (error: unknown, click = aClick(unique('code'))) => {
    record.mockRejectedValueOnce(error);
    await count(click);
    return queued.at(-1);
  };
  /** Whether the table is asked. */
  const asks = async (click: VisitorWrite) => {
    const before = record.mock.calls.length;
    await count(click);
    return record.mock.calls.length > before;
  };
  return { count, failing, asks, enqueueClick };
};

const logged = () => log.lines.map((line) => JSON.parse(line));

test('a throttled click takes those of its partition key along for a moment, and no others', async () => {
  const { failing, asks } = aContainer();
  const [code, other] = [unique('code'), unique('code')];
  await failing(throttled, aClick(code));
  expect([await asks(aClick(code)), await asks(aClick(other))]).toEqual([false, true]);
  jest.advanceTimersByTime(200);
  expect(await asks(aClick(code))).toBe(true);
});

test("a throttled click takes only its own group's along", async () => {
  const { failing, asks } = aContainer();
  const code = unique('code');
  const ofGroups = ['visitor-a', 'visitor-b', 'other-c'].map((visitor) =>
    aClick(code, { visitor, groups: 1024 }),
  );
  const [first, ...others] = ofGroups as [VisitorWrite, ...VisitorWrite[]];
  await failing(throttled, first);
  expect(await asks(first)).toBe(false);
  expect(await Promise.all(others.map(asks))).toEqual([true, true]);
});

test('a click without an answer takes all along for seconds, and one that is refused none', async () => {
  const { failing, asks } = aContainer();
  await failing(refused, aClick('refused'));
  expect(await asks(aClick('refused'))).toBe(true);
  await failing(unanswered);
  expect(await asks(aClick(unique('code')))).toBe(false);
  jest.advanceTimersByTime(5000);
  expect(await asks(aClick(unique('code')))).toBe(true);
});

test('is sure of a click only if no attempt of its write can have been made', async () => {
  const repeated = Object.assign(new AwsError({ name: 'ThrottlingException' }), { isRepeated: true });
  const sure = async (error: unknown) => (await aContainer().failing(error))?.isSure;
  expect([await sure(throttled), await sure(refused)]).toEqual([true, true]);
  expect([await sure(unanswered), await sure(repeated), await sure(new Error('?'))]).toEqual([
    false,
    false,
    false,
  ]);
});

test('is sure of a click for which the table was not asked', async () => {
  const { failing, count, enqueueClick } = aContainer();
  await failing(unanswered);
  const click = aClick(unique('code'));
  await count(click);
  expect(enqueueClick).toHaveBeenLastCalledWith({ write: click, isSure: true });
});

test('reports queued clicks at once, then once a second with their number', async () => {
  const { failing, count } = aContainer();
  await failing(unanswered, aClick('first'));
  for (let visit = 0; visit < 50; visit += 1) await count(aClick('famous'));
  const lines = () => logged().map(({ message, code, ClickQueued: times }) => [message, code, times]);
  expect(lines()).toEqual([['ClickQueued', 'first', 1]]);
  jest.advanceTimersByTime(1000);
  await count(aClick('famous'));
  expect(lines().slice(1)).toEqual([['ClickQueued', 'famous', 50]]);
  jest.advanceTimersByTime(10_000);
  expect(lines().slice(2)).toEqual([['ClickQueued', 'famous', 1]]);
});

test('reports each click that the queue also refuses', async () => {
  const { failing, enqueueClick, count } = aContainer();
  enqueueClick.mockRejectedValue(new Error('no'));
  await failing(unanswered);
  await count(aClick('famous'));
  expect(logged().map(({ message, ClickLost: times }) => [message, times])).toEqual([
    ['ClickLost', 1],
    ['ClickLost', 1],
  ]);
});
