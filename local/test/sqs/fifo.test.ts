import { join } from 'node:path';
import fc from 'fast-check';
import type { Queue, Received } from '../../sqs/queue.ts';
import { openQueueFile } from '../../sqs/queue-file.ts';
import { newFolder } from '../folder.ts';
import { aQueue, bodiesOf } from './a-queue.ts';

const folder = newFolder();
const perGroup = { isContentBased: false, isPerGroup: true };
const never = new AbortController().signal;

let ids = 0;
const send = (queue: Queue, group: string, body: string, deduplicationId = `id-${ids++}`) =>
  queue.send(body, 'me', { fifo: { group, deduplicationId } });

test('a group waits for its received message, others do not', async () => {
  const { queue, clock } = aQueue({ fifo: perGroup, visibilitySeconds: 30 });
  for (const body of ['a1', 'b1', 'a2', 'a3']) await send(queue, body[0] ?? '', body);
  const [first] = queue.receive(1);
  expect(bodiesOf(queue.receive(10))).toEqual(['b1']);
  expect(queue.receive(10)).toEqual([]);
  await queue.remove(first?.receipt ?? '');
  expect(bodiesOf(queue.receive(1))).toEqual(['a2']);
  clock.now += 30_000;
  expect(bodiesOf(queue.receive(10))).toEqual(['b1', 'a2', 'a3']);
});

test('waiting lasts until a group may go on', async () => {
  const { queue } = aQueue({ fifo: perGroup, visibilitySeconds: 3600 });
  await send(queue, 'a', 'a1');
  await send(queue, 'a', 'a2');
  const [first] = queue.receive(1);
  let isOver = false;
  const waiting = queue.wait(1e6, never).then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  await queue.remove(first?.receipt ?? '');
  await waiting;
});

test.each([
  [true, ['a', 'b', 'a again', 'c']],
  [false, ['a', 'a again', 'c']],
])('an id is sent once in five minutes, by group: %s', async (isPerGroup, bodies) => {
  const { queue, clock } = aQueue({ fifo: { ...perGroup, isPerGroup } });
  const { id, fifo } = await send(queue, 'A', 'a', 'same');
  await send(queue, 'B', 'b', 'same');
  clock.now += 299_999;
  expect(await send(queue, 'A', 'repeated', 'same')).toMatchObject({ id, fifo });
  clock.now += 1;
  await send(queue, 'A', 'a again', 'same');
  await send(queue, 'A', 'c', 'other');
  expect(bodiesOf(queue.receive(10))).toEqual(bodies);
});

test('order and groups survive a restart', async () => {
  const path = join(folder, 'kept');
  const first = aQueue({ fifo: perGroup }, { file: await openQueueFile(path) });
  for (const body of ['a1', 'b1', 'a2']) await send(first.queue, body[0] ?? '', body);
  first.queue.receive(1);
  await first.queue.close();
  const { queue } = aQueue({ fifo: perGroup }, { file: await openQueueFile(path) });
  const messages = queue.receive(10);
  expect(bodiesOf(messages)).toEqual(['a1', 'b1', 'a2']);
  const numbers = messages.map(({ fifo }) => fifo?.sequenceNumber ?? '');
  expect(numbers).toEqual(numbers.toSorted());
  expect(new Set(numbers).size).toBe(3);
  await queue.close();
});

test('each group is handled in order, one batch at a time, whatever fails or takes too long', async () => {
  const groups = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 30 });
  const schedule = fc.infiniteStream(fc.nat(4));
  await fc.assert(
    fc.asyncProperty(groups, schedule, async (sent, dice) => {
      const next = () => dice.next().value;
      const { queue, clock } = aQueue(
        { fifo: perGroup, visibilitySeconds: 1 },
        { comesAgain: () => next() === 0 },
      );
      let running: Received[][] = [];
      const groupsOf = (batch: Received[]) => batch.map(({ fifo }) => fifo?.group);
      const handled: Record<string, number[]> = { a: [], b: [], c: [] };
      /** Ends a batch as AWS asks of functions: after a failure, the rest of the batch fails too. */
      const end = async (batch: Received[]) => {
        for (const { body, receipt } of batch.slice(0, next())) {
          handled[body[0] ?? '']?.push(Number(body.slice(1)));
          await queue.remove(receipt);
        }
      };
      const waiting = sent.map((group, index) => ({ group, index }));
      const isDone = () =>
        waiting.length === 0 && Object.values(queue.counts()).every((count) => count === 0);
      while (!isDone()) {
        const step = next();
        const message = step === 0 ? waiting.shift() : undefined;
        if (message) await send(queue, message.group, `${message.group}${message.index}`);
        const batch = step < 3 ? queue.receive(3) : [];
        const busy = new Set(running.flatMap(groupsOf));
        expect(groupsOf(batch).filter((group) => busy.has(group))).toEqual([]);
        if (batch.length > 0) running.push(batch);
        if (step > 1) await end(running.shift() ?? []);
        if (step !== 4) continue;
        // All timeouts end.
        running = [];
        clock.now += 1000;
      }
      for (const [group, numbers] of Object.entries(handled)) {
        // One whose deletion failed comes again later.
        expect([...new Set(numbers)]).toEqual([...sent.keys()].filter((index) => sent[index] === group));
      }
    }),
  );
});
