import type { PolicyStatement } from '../../assembly/assembly.ts';
import type { JsonService } from '../../base/json-service.ts';
import { engineClient } from '../../engine/engine-client.ts';
import { startSqs } from '../../sqs/endpoint.ts';
import { send } from '../http-client.ts';
import { aQueue } from './a-queue.ts';

const { queue } = aQueue({ maximumBytes: 100 });
const dead = aQueue({ name: 'dead' }).queue;
const redriven = aQueue({
  name: 'redriven',
  deadLetters: { queueArn: dead.resource.arn, maxReceiveCount: 3 },
}).queue;
const fifo = aQueue({ name: 'order.fifo', fifo: { isContentBased: false, isPerGroup: true } }).queue;
const hashed = aQueue({ name: 'hash.fifo', fifo: { isContentBased: true, isPerGroup: true } }).queue;
const QueueUrl = queue.resource.url;
let sqs: JsonService;

const start = (statements?: readonly PolicyStatement[]) =>
  startSqs({
    queues: [queue, dead, redriven, fifo, hashed],
    principals: statements ? new Map([['local', { name: 'Role', statements }]]) : new Map(),
    enforce: true,
  });
beforeEach(async () => {
  sqs = await start();
});
afterEach(() => sqs.stop());

const call = async (operation: string, input: object, endpoint = sqs.endpoint): Promise<unknown> => {
  const client = engineClient(endpoint, { service: 'AmazonSQS' });
  return client
    .call(operation, input)
    .catch((error) => `${error.name}: ${error.message}`)
    .finally(client.close);
};

test('a message is sent, received and deleted', async () => {
  const sent = await call('SendMessage', { QueueUrl, MessageBody: 'hello' });
  const MD5 = '5d41402abc4b2a76b9719d911017c592';
  expect(sent).toEqual({ MessageId: expect.any(String), MD5OfMessageBody: MD5 });
  expect(await call('GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] })).toMatchObject({
    Attributes: { QueueArn: queue.resource.arn, ApproximateNumberOfMessages: '1' },
  });
  const received = (await call('ReceiveMessage', { QueueUrl })) as { Messages: [{ ReceiptHandle: string }] };
  const [{ ReceiptHandle }] = received.Messages;
  expect(received.Messages).toMatchObject([{ Body: 'hello', MD5OfBody: MD5 }]);
  await call('DeleteMessage', { QueueUrl, ReceiptHandle });
  expect(await call('GetQueueAttributes', { QueueUrl })).toMatchObject({
    Attributes: { ApproximateNumberOfMessages: '0', ApproximateNumberOfMessagesNotVisible: '0' },
  });
});

test('the entries of a batch succeed or fail one by one', async () => {
  const Entries = [
    { Id: 'good', MessageBody: 'a', DelaySeconds: 900 },
    { Id: 'late', MessageBody: 'b', DelaySeconds: 901 },
    { Id: 'empty', MessageBody: '' },
  ];
  expect(await call('SendMessageBatch', { QueueUrl, Entries })).toEqual({
    Successful: [{ Id: 'good', MessageId: expect.any(String), MD5OfMessageBody: expect.any(String) }],
    Failed: [
      expect.objectContaining({ Id: 'late', Code: 'InvalidParameterValue', SenderFault: true }),
      expect.objectContaining({ Id: 'empty', Code: 'MissingRequiredParameterException' }),
    ],
  });
  expect(queue.counts()).toMatchObject({ delayed: 1 });
});

test.each<[string, string, object, RegExp]>([
  ['no queue', 'SendMessage', { QueueUrl: 'x/other', MessageBody: 'a' }, /^QueueDoesNotExist: .*x\/other/],
  ['no body', 'SendMessage', { QueueUrl }, /^MissingRequiredParameterException/],
  [
    'a long body',
    'SendMessage',
    { QueueUrl, MessageBody: 'ä'.repeat(51) },
    /^InvalidParameterValue: .*100 bytes/,
  ],
  ['a control character', 'SendMessage', { QueueUrl, MessageBody: '\u0001' }, /^InvalidMessageContents/],
  ['a long delay', 'SendMessage', { QueueUrl, MessageBody: 'a', DelaySeconds: 901 }, /DelaySeconds/],
  [
    'attributes',
    'SendMessage',
    { QueueUrl, MessageBody: 'a', MessageAttributes: { a: {} } },
    /^UnsupportedOperation/,
  ],
  ['another operation', 'CreateQueue', { QueueName: 'a' }, /^UnsupportedOperation: .*SendMessage/],
  ['an empty batch', 'SendMessageBatch', { QueueUrl, Entries: [] }, /^EmptyBatchRequest/],
  ['eleven entries', 'SendMessageBatch', { QueueUrl, Entries: batch(11) }, /^TooManyEntriesInBatchRequest/],
  [
    'equal ids',
    'SendMessageBatch',
    { QueueUrl, Entries: [...batch(1), ...batch(1)] },
    /^BatchEntryIdsNotDistinct/,
  ],
  [
    'a long batch',
    'SendMessageBatch',
    { QueueUrl, Entries: batch(2, 'x'.repeat(51)) },
    /^BatchRequestTooLong/,
  ],
  [
    'a move from a queue of no dead letters',
    'StartMessageMoveTask',
    { SourceArn: queue.resource.arn },
    /^Unsupported/,
  ],
])('%s is refused', async (_name, operation, input, message) => {
  const before = queue.counts();
  expect(await call(operation, input)).toMatch(message);
  expect(queue.counts()).toEqual(before);
});

function batch(size: number, MessageBody = 'a') {
  return Array.from({ length: size }, (_, index) => ({ Id: `id-${index}`, MessageBody }));
}

test('dead letters go back to their queue', async () => {
  await dead.send('bad', 'me');
  await call('StartMessageMoveTask', { SourceArn: dead.resource.arn });
  expect(redriven.receive(10)).toMatchObject([{ body: 'bad' }]);
  expect(dead.counts()).toMatchObject({ available: 0 });
});

test('a function has the permissions of its role', async () => {
  const guarded = await start([{ Effect: 'Allow', Action: 'sqs:SendMessage', Resource: queue.resource.arn }]);
  const sent = await call('SendMessageBatch', { QueueUrl, Entries: batch(1) }, guarded.endpoint);
  expect(sent).toMatchObject({ Successful: [{}] });
  const refused = /^AccessDeniedException: User: .*Role is not authorized to perform: sqs:/;
  expect(await call('ReceiveMessage', { QueueUrl }, guarded.endpoint)).toMatch(refused);
  const other = { QueueUrl: dead.resource.url, MessageBody: 'a' };
  expect(await call('SendMessage', other, guarded.endpoint)).toMatch(refused);
  await guarded.stop();
});

test('web pages and bodies that are not JSON are refused', async () => {
  const { host } = new URL(sqs.endpoint);
  const headers = { 'x-amz-target': 'AmazonSQS.SendMessage' };
  const ofPage = { ...headers, origin: 'https://evil.example' };
  expect((await send(host, { method: 'POST', path: '/', headers: ofPage, body: '{}' })).status).toBe(403);
  expect((await send(host, { method: 'POST', path: '/', headers, body: '[]' })).status).toBe(400);
});

test('a message of a FIFO queue has its place in attributes', async () => {
  const QueueUrl = fifo.resource.url;
  const message = { QueueUrl, MessageBody: 'a', MessageGroupId: 'group', MessageDeduplicationId: 'id' };
  const sent = (await call('SendMessage', message)) as { MessageId: string; SequenceNumber: string };
  expect(sent.SequenceNumber).toMatch(/^\d{20}$/);
  expect(await call('SendMessage', message)).toEqual(sent);
  expect(await call('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10 })).toMatchObject({
    Messages: [
      {
        MessageId: sent.MessageId,
        Attributes: {
          MessageGroupId: 'group',
          MessageDeduplicationId: 'id',
          SequenceNumber: sent.SequenceNumber,
        },
      },
    ],
  });
  expect(await call('GetQueueAttributes', { QueueUrl })).toMatchObject({
    Attributes: { FifoQueue: 'true', DeduplicationScope: 'messageGroup' },
  });
});

test('the hash of a body is its id where the queue says so', async () => {
  const message = { QueueUrl: hashed.resource.url, MessageBody: 'a', MessageGroupId: 'group' };
  expect(await call('SendMessage', message)).toEqual(await call('SendMessage', message));
});

test.each([
  [{}, 'MissingParameter'],
  [{ MessageGroupId: 'group' }, 'InvalidParameterValue'],
  [{ MessageGroupId: 'a b', MessageDeduplicationId: 'id' }, 'InvalidParameterValue'],
  [{ MessageGroupId: 'a'.repeat(129), MessageDeduplicationId: 'id' }, 'InvalidParameterValue'],
  [{ MessageGroupId: 'group', MessageDeduplicationId: '' }, 'InvalidParameterValue'],
  [{ MessageGroupId: 'group', MessageDeduplicationId: 'id', DelaySeconds: 1 }, 'InvalidParameterValue'],
])('a FIFO queue refuses %j', async (input, error) => {
  const message = { QueueUrl: fifo.resource.url, MessageBody: 'a', ...input };
  expect(await call('SendMessage', message)).toMatch(error);
});
