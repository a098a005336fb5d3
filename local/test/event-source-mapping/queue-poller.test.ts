import type { QueueMapping } from '../../assembly/assembly.ts';
import {
  type QueueEvent,
  type QueuePoller,
  startQueuePoller,
} from '../../event-source-mapping/queue-poller.ts';
import type { InvocationResult } from '../../lambda/runtime.ts';
import { Queue } from '../../sqs/queue.ts';
import { aQueueResource } from '../sqs/a-queue.ts';
import { until } from '../until.ts';
import { accept, failed, report } from './answers.ts';

let poller: QueuePoller | undefined;
afterEach(() => poller?.stop());

/** The timeout of failing messages; others must not come again, however slow the machine is. */
const hidesForAMoment = 0.05;

/** A queue and a function on it. */
function aMapping(
  answer: (event: QueueEvent) => InvocationResult | Promise<InvocationResult>,
  { visibilitySeconds = 3600, ...changes }: Partial<QueueMapping> & { visibilitySeconds?: number } = {},
) {
  const queue = new Queue({ resource: aQueueResource({ visibilitySeconds }) });
  const events: QueueEvent[] = [];
  const start = () => {
    poller = startQueuePoller({
      mapping: {
        id: 'Mapping',
        functionId: 'Function',
        queueId: 'Queue',
        batchSize: 10,
        batchingWindowSeconds: 0,
        reportBatchItemFailures: false,
        maximumConcurrency: 1,
        ...changes,
      },
      queue,
      invoke: async (event) => {
        events.push(event);
        return answer(event);
      },
    });
  };
  const send = async (...bodies: string[]) => {
    for (const body of bodies) await queue.send(body, 'sender');
  };
  const isEmpty = () => Object.values(queue.counts()).every((count) => count === 0);
  const done = () => until(isEmpty);
  /** Sends messages before the mapping starts; resolves to the batches in which all were accepted. */
  const batchesOf = async (...bodies: string[]) => {
    await send(...bodies);
    start();
    await done();
    return events.map(bodiesOf);
  };
  return { queue, events, start, send, bodies: () => events.map(bodiesOf), done, batchesOf };
}

const bodiesOf = ({ Records }: QueueEvent) => Records.map(({ body }) => body);
const idOf = ({ Records }: QueueEvent, text: string) => Records.find(({ body }) => body === text)?.messageId;

test("records have the form of Lambda's events", async () => {
  const { batchesOf, events, queue } = aMapping(accept);
  const before = Date.now();
  await batchesOf('Test message.');
  const time = expect.stringMatching(/^\d{13}$/);
  expect(events).toEqual([
    {
      Records: [
        {
          messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          receiptHandle: expect.any(String),
          body: 'Test message.',
          attributes: {
            ApproximateReceiveCount: '1',
            SentTimestamp: time,
            SenderId: 'sender',
            ApproximateFirstReceiveTimestamp: time,
          },
          messageAttributes: {},
          md5OfBody: 'e4e68fb7bd0e697a0ae8f1bb342846b3',
          eventSource: 'aws:sqs',
          eventSourceARN: queue.resource.arn,
          awsRegion: 'us-east-1',
        },
      ],
    },
  ]);
  expect(Number(events[0]?.Records[0]?.attributes.SentTimestamp)).toBeGreaterThanOrEqual(before);
});

test('batches are as large as messages are there, up to their size', async () => {
  const { batchesOf } = aMapping(accept, { batchSize: 25 });
  const sent = Array.from({ length: 30 }, (_, index) => String(index));
  expect(await batchesOf(...sent)).toEqual([sent.slice(0, 25), sent.slice(25)]);
});

test('a window waits for a full batch', async () => {
  const { bodies, start, send, done } = aMapping(accept, { batchSize: 3, batchingWindowSeconds: 1000 });
  start();
  for (const body of 'abc') await send(body);
  await done();
  expect(bodies()).toEqual([[...'abc']]);
});

test('a window that ends takes the messages that are there', async () => {
  const { bodies, start, send, done } = aMapping(accept, { batchSize: 3, batchingWindowSeconds: 0.02 });
  start();
  await send('a');
  await done();
  expect(bodies()).toEqual([['a']]);
});

test('a batch whose invocation fails or throws comes again after the visibility timeout', async () => {
  let calls = 0;
  const outcomes = [() => failed, () => Promise.reject(new Error('no')), accept];
  const { batchesOf } = aMapping(() => outcomes[calls++]?.() ?? failed, {
    visibilitySeconds: hidesForAMoment,
  });
  expect(await batchesOf('a', 'b')).toEqual(Array(3).fill(['a', 'b']));
});

test('only the reported messages come again', async () => {
  let calls = 0;
  const { batchesOf } = aMapping(
    (event) => (++calls === 1 ? report(idOf(event, 'b'), idOf(event, 'd')) : accept()),
    { reportBatchItemFailures: true, visibilitySeconds: hidesForAMoment },
  );
  expect(await batchesOf(...'abcd')).toEqual([[...'abcd'], [...'bd']]);
});

test.each([
  ['an unknown message', 'unknown'],
  ['an empty identifier', ''],
  ['no identifier', undefined],
])('a report of %s fails the whole batch', async (_, identifier) => {
  let calls = 0;
  const { batchesOf } = aMapping(() => (++calls === 1 ? report(identifier) : accept()), {
    reportBatchItemFailures: true,
    visibilitySeconds: hidesForAMoment,
  });
  expect(await batchesOf('a', 'b')).toEqual(Array(2).fill(['a', 'b']));
});

test('a report counts only where the mapping asks for reports', async () => {
  const { batchesOf } = aMapping((event) => report(idOf(event, 'a')));
  expect(await batchesOf('a')).toEqual([['a']]);
});

test('as many invocations run at once as the mapping allows', async () => {
  const running = { now: 0, most: 0 };
  const enough = Promise.withResolvers<void>();
  const { batchesOf } = aMapping(
    async () => {
      running.most = Math.max(running.most, ++running.now);
      if (running.now === 2) enough.resolve();
      await enough.promise;
      running.now--;
      return accept();
    },
    { batchSize: 1, maximumConcurrency: 2 },
  );
  await batchesOf(...'abcdef');
  expect(running.most).toBe(2);
});
