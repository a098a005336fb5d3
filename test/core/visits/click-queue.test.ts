import { connect, serviceAccess } from '../../../core/table/connection.ts';
import { clickQueue, lateWriteOf } from '../../../core/visits/click-queue.ts';
import type { LateWrite } from '../../../core/visits/late-click-store.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
beforeEach(() => {
  server.calls.length = 0;
  server.answer = () => ({ MessageId: 'any' });
});
afterAll(() => server.stop());

const queueUrl = 'https://sqs.eu-central-1.amazonaws.com/123456789012/clicks';
const opened: string[] = [];
const queue = () =>
  clickQueue(() => {
    opened.push('connection');
    const access = { AWS_ENDPOINT_URL_SQS: server.endpoint, AWS_REGION: 'eu-central-1' };
    return connect(serviceAccess(access, 'sqs'));
  }, queueUrl);

const late: LateWrite = {
  write: {
    Key: { PK: 'VISITOR#acme#launch#1', SK: 'CLICKS#visitor' },
    adds: { hits: 1 },
    id: 'abcdefghijk',
    visit: { platform: 'ios', seen: 1_795_348_800, newFrom: 1_803_124_800 },
    ttl: 1_803_211_200,
  },
  isSure: true,
};

test("sends messages in the consumer's format, by a connection that the first one opens", async () => {
  const send = queue();
  expect(opened).toEqual([]);
  await send(late);
  await send({ ...late, isSure: false });
  const [first, second] = server.calls;
  expect(first).toMatchObject({ operation: 'SendMessage', input: { QueueUrl: queueUrl }, connection: 1 });
  expect(second?.connection).toBe(1);
  expect(opened).toEqual(['connection']);
  expect(server.calls.map(({ input }) => lateWriteOf(String(input.MessageBody)))).toEqual([
    late,
    { ...late, isSure: false },
  ]);
});

test('tries twice, and throws if the queue takes it neither time', async () => {
  server.answer = () => ({ refused: server.calls.length === 1 ? 'RequestThrottled' : '' });
  await queue()(late);
  server.answer = () => ({ refused: 'InternalFailure' });
  server.calls.length = 0;
  await expect(queue()(late)).rejects.toMatchObject({ name: 'InternalFailure' });
  expect(server.calls).toHaveLength(2);
});

test('gives up within its deadline', async () => {
  server.answer = () => 'hang';
  await expect(queue()(late)).rejects.toMatchObject({ name: 'TimeoutError' });
});

test.each(['', '{}', '{"v":2}', 'null'])('refuses %j as a message', (body) => {
  expect(() => lateWriteOf(body)).toThrow();
});
