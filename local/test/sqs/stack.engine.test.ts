import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { engineClient } from '../../engine/engine-client.ts';
import { type LocalStack, startStack } from '../../stack.ts';
import { until } from '../until.ts';
import { type QueueingApp, synthesizeQueueingApp } from './queueing-app.ts';

const start = ({ assembly, data }: QueueingApp) =>
  startStack({
    assembly,
    data,
    apiPort: 0,
    distributionPort: 0,
    engine: 'sqlite',
    redelivery: { oneIn: 2, seed: 1 },
    log: () => undefined,
  });

let app: QueueingApp;
let stack: LocalStack;
beforeAll(async () => {
  app = synthesizeQueueingApp();
  // Sends until kill -9; the first test checks acknowledged messages.
  const sender = spawn(process.execPath, [
    join(import.meta.dirname, 'endless-sender.ts'),
    app.assembly,
    app.data,
    app.ids.send,
  ]);
  for await (const line of createInterface({ input: sender.stdout })) {
    acknowledged = Number(line);
    if (acknowledged === 30) break;
  }
  sender.kill('SIGKILL');
  await once(sender, 'exit');
  stack = await start(app);
});
afterAll(() => stack.stop());
let acknowledged = 0;

const send = async (MessageBody: string, more: object = {}) => {
  const result = await stack.invoke(app.ids.send, { MessageBody, ...more });
  return result.ok ? result.payload : result;
};

test('no acknowledged message is lost to kill -9, and some are delivered again', async () => {
  const numbers = Array.from({ length: acknowledged }, (_, index) => String(index + 1));
  await until(() => numbers.every((number) => app.handled().includes(number)));
  await until(() => app.handled().length > new Set(app.handled()).size);
});

test('a function sends with the queue URL of its environment', async () => {
  expect(await send('hello')).toMatchObject({
    status: 200,
    queue: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/000000000000\/Queue/),
  });
  await until(() => app.handled().includes('hello'));
});

test('a function without a grant is refused', async () => {
  const result = await stack.invoke(app.ids.intruder, { MessageBody: 'x' });
  expect(result).toMatchObject({
    payload: { status: 400, message: expect.stringContaining('sqs:SendMessage') },
  });
});

test('a message that fails too often becomes a dead letter', async () => {
  await send('bad');
  const client = engineClient(stack.sqsEndpoint ?? '', { service: 'AmazonSQS' });
  const dead = stack.assembly.queues.find(({ deadLetters }) => !deadLetters);
  let received: { Body: string } | undefined;
  // On a busy machine, other tests' messages also become dead letters.
  while (!received) {
    const { Messages } = await client.call<{ Messages: { Body: string }[] }>('ReceiveMessage', {
      QueueUrl: dead?.url,
    });
    received = Messages.find(({ Body }) => Body === 'bad');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  client.close();
  expect(received).toMatchObject({ Attributes: { ApproximateReceiveCount: '3' } });
});

test('a mapping whose function may not read the queue keeps the stack from starting', async () => {
  const careless = synthesizeQueueingApp({ grantsReading: false });
  await expect(start(careless)).rejects.toThrow(/^Mapping.*: User: .*Store.* sqs:ReceiveMessage/);
});
