import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openQueueFile } from '../../sqs/queue-file.ts';
import { newFolder } from '../folder.ts';
import { aQueue, bodiesOf } from './a-queue.ts';

const folder = newFolder();

const never = new AbortController().signal;

describe('a message', () => {
  test('is hidden from other receivers until its visibility timeout ends', async () => {
    const { queue, clock } = aQueue({ visibilitySeconds: 30 });
    await queue.send('a', 'me');
    await queue.send('b', 'me');
    expect(bodiesOf(queue.receive(1))).toEqual(['a']);
    expect(bodiesOf(queue.receive(10))).toEqual(['b']);
    clock.now += 29_999;
    expect(queue.receive(10)).toEqual([]);
    clock.now += 1;
    expect(queue.receive(10).map(({ body, receives }) => [body, receives])).toEqual([
      ['a', 2],
      ['b', 2],
    ]);
  });

  test('that was received again since is not deleted by the older receipt', async () => {
    const { queue, clock } = aQueue({ visibilitySeconds: 1 });
    await queue.send('a', 'me');
    const [first] = queue.receive(1);
    clock.now += 1000;
    const [second] = queue.receive(1);
    await queue.remove(first?.receipt ?? '');
    expect(queue.counts()).toMatchObject({ inFlight: 1 });
    await queue.remove(second?.receipt ?? '');
    expect(queue.counts()).toMatchObject({ inFlight: 0 });
  });

  test('with a delay comes when it has passed', async () => {
    const { queue, clock } = aQueue({ delaySeconds: 5 });
    await queue.send('by the queue', 'me');
    await queue.send('at once', 'me', { delaySeconds: 0 });
    await queue.send('late', 'me', { delaySeconds: 900 });
    expect(queue.counts()).toEqual({ available: 1, inFlight: 0, delayed: 2 });
    expect(bodiesOf(queue.receive(10))).toEqual(['at once']);
    clock.now += 5000;
    expect(bodiesOf(queue.receive(10))).toEqual(['by the queue']);
    expect(queue.counts()).toEqual({ available: 0, inFlight: 2, delayed: 1 });
  });

  test('is dropped when it is older than the retention', async () => {
    const { queue, clock } = aQueue({ retentionSeconds: 60 });
    await queue.send('old', 'me');
    clock.now += 30_000;
    await queue.send('new', 'me');
    clock.now += 30_001;
    expect(bodiesOf(queue.receive(10))).toEqual(['new']);
  });

  test('does not age while it cannot be received', async () => {
    const path = join(folder, 'aged');
    const first = aQueue({}, { file: await openQueueFile(path) });
    await first.queue.send('old', 'me');
    await first.queue.close();
    let now = first.clock.now + 30 * 24 * 60 * 60 * 1000;
    const { queue } = aQueue({ retentionSeconds: 60 }, { file: await openQueueFile(path), now: () => now });
    expect(bodiesOf(queue.receive(10))).toEqual(['old']);
    now += 60_001;
    expect(queue.receive(10)).toEqual([]);
    await queue.close();
  });

  test('that was received too often goes to the dead letters, and back when they are moved', async () => {
    const dead = aQueue({ name: 'dead' });
    const { queue, clock } = aQueue(
      { visibilitySeconds: 1, deadLetters: { queueArn: 'dead', maxReceiveCount: 2 } },
      { deadLetters: () => dead.queue },
    );
    const { id } = await queue.send('bad', 'me');
    for (let times = 1; times <= 2; times++) {
      expect(queue.receive(10).map(({ receives }) => receives)).toEqual([times]);
      clock.now += 1000;
    }
    expect(queue.receive(10)).toEqual([]);
    await dead.queue.wait(1000, never);
    expect(queue.counts()).toEqual({ available: 0, inFlight: 0, delayed: 0 });
    expect(await dead.queue.moveTo(queue)).toBe(1);
    expect(queue.receive(10)).toMatchObject([{ id, body: 'bad', receives: 1 }]);
    expect(dead.queue.counts()).toMatchObject({ available: 0 });
  });

  test('that is to come again is delivered once more after its deletion, and then deleted', async () => {
    const { queue, clock } = aQueue({}, { comesAgain: () => true });
    await queue.send('a', 'me');
    for (let times = 1; times <= 2; times++) {
      const [message] = queue.receive(10);
      expect(message).toMatchObject({ body: 'a', receives: times });
      await queue.remove(message?.receipt ?? '');
      clock.now += 1000;
    }
    expect(queue.receive(10)).toEqual([]);
  });
});

test('waiting ends when a message is sent, when one becomes visible, and when it is aborted', async () => {
  const { queue, clock } = aQueue({ visibilitySeconds: 0.05 });
  const sent = queue.wait(1e6, never);
  await queue.send('a', 'me');
  await sent;
  queue.receive(1);
  await queue.wait(1e6, never);
  clock.now += 50;
  expect(queue.receive(1)).toHaveLength(1);
  await queue.wait(1e6, AbortSignal.abort());
});

test('a wait for the next message ends when an earlier one is ready', async () => {
  const { queue } = aQueue({ visibilitySeconds: 3600 }, { comesAgain: () => true });
  await queue.send('a', 'me');
  const [message] = queue.receive(1);
  const woken = queue.wait(1e6, never);
  await queue.remove(message?.receipt ?? '');
  await woken;
  // If nothing woke it, it would wait for a minute.
}, 20_000);

describe('the file of a queue', () => {
  const open = async (name: string) => {
    const file = await openQueueFile(join(folder, name));
    return { file, ...aQueue({ visibilitySeconds: 30 }, { file }) };
  };

  test('brings back messages that were not deleted, with their receives, as ready', async () => {
    const first = await open('kept');
    for (const body of ['a', 'b', 'c']) await first.queue.send(body, 'me');
    await first.queue.send('later', 'me', { delaySeconds: 10 });
    const [a, b] = first.queue.receive(2);
    await first.queue.remove(a?.receipt ?? '');
    await first.queue.close();
    const { queue, clock } = await open('kept');
    expect(queue.receive(10).map(({ body, receives }) => [body, receives])).toEqual([
      ['b', 2],
      ['c', 1],
    ]);
    await queue.remove(b?.receipt ?? '');
    clock.now += 10_000;
    expect(bodiesOf(queue.receive(10))).toEqual(['later']);
    await queue.close();
  });

  test('holds a message when its sending resolves', async () => {
    const { queue } = await open('written');
    const sending = ['a', 'b', 'c'].map((body) => queue.send(body, 'me'));
    await Promise.all(sending);
    const text = readFileSync(join(folder, 'written'), 'utf8');
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).put.body),
    ).toEqual(['a', 'b', 'c']);
    await queue.close();
  });

  test('may end in the middle of a line', async () => {
    const first = await open('torn');
    await first.queue.send('a', 'me');
    await first.queue.close();
    appendFileSync(join(folder, 'torn'), '{"put":{"id":"half"');
    const second = await open('torn');
    await second.queue.send('b', 'me');
    await second.queue.close();
    const { queue } = await open('torn');
    expect(bodiesOf(queue.receive(10))).toEqual(['a', 'b']);
    await queue.close();
  });

  test('does not grow with messages that are gone', async () => {
    const file = await openQueueFile(join(folder, 'busy'));
    const message = { body: 'x'.repeat(10), sender: 'me', sent: 1, due: 1, receives: 0 };
    const written: Promise<void>[] = [];
    for (let n = 0; n < 20_000; n++) {
      written.push(file.write({ put: { ...message, id: String(n) } }));
      if (n > 0) written.push(file.write({ removed: String(n) }));
      if (n % 1000 === 0) await Promise.all(written);
    }
    await Promise.all(written);
    await file.close();
    const lines = readFileSync(join(folder, 'busy'), 'utf8').split('\n').length;
    expect(lines).toBeLessThan(20_000);
    const again = await openQueueFile(join(folder, 'busy'));
    expect(again.messages).toMatchObject([{ id: '0' }]);
    await again.close();
  });
});
