import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Duration, Stack } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sources from 'aws-cdk-lib/aws-lambda-event-sources';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { newFolder } from '../folder.ts';

/** `store` appends each body to a file, and fails for `bad`; `send` sends to any queue. */
const bundle = `
import { appendFileSync } from 'node:fs';
export const send = async (input) => {
  const response = await fetch(process.env.AWS_ENDPOINT_URL_SQS, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.SendMessage',
      authorization: 'AWS4-HMAC-SHA256 Credential=' + process.env.AWS_ACCESS_KEY_ID +
        '/20300101/us-east-1/sqs/aws4_request, SignedHeaders=host;x-amz-date, Signature=' + '0'.repeat(64),
    },
    body: JSON.stringify({ QueueUrl: process.env.QUEUE, ...input }),
  });
  return { status: response.status, queue: process.env.QUEUE, ...(await response.json()) };
};
export const store = async ({ Records }) => ({
  batchItemFailures: Records.flatMap(({ messageId, body }) => {
    if (body === 'bad') return [{ itemIdentifier: messageId }];
    appendFileSync(process.env.OUT, body + '\\n');
    return [];
  }),
});
`;

export interface QueueingApp {
  /** Its `cdk.out`. */
  readonly assembly: string;
  readonly data: string;
  /** Function ids by what they do. */
  readonly ids: Readonly<Record<'send' | 'intruder', string>>;
  /** The messages that its consumer has handled so far. */
  handled(): string[];
}

/** An app with a queue, its dead letters, a sender and a consumer. */
export function synthesizeQueueingApp({ grantsReading = true } = {}): QueueingApp {
  const folder = newFolder();
  const out = join(folder, 'out');
  const code = join(folder, 'code');
  mkdirSync(code);
  writeFileSync(out, '');
  writeFileSync(join(code, 'index.mjs'), bundle);
  const app = new App({ outdir: join(folder, 'cdk.out') });
  const stack = new Stack(app, 'Queueing');
  new dynamodb.TableV2(stack, 'Table', {
    partitionKey: { name: 'id', type: dynamodb.AttributeType.STRING },
  });
  const dead = new sqs.Queue(stack, 'Dead', { retentionPeriod: Duration.days(14) });
  const queue = new sqs.Queue(stack, 'Queue', {
    visibilityTimeout: Duration.seconds(1),
    enforceSSL: true,
    deadLetterQueue: { queue: dead, maxReceiveCount: 2 },
  });
  const aFunction = (id: string, handler: string, timeout = Duration.seconds(30)) =>
    new lambda.Function(stack, id, {
      runtime: lambda.Runtime.NODEJS_24_X,
      handler: `index.${handler}`,
      code: lambda.Code.fromAsset(code),
      environment: { QUEUE: queue.queueUrl, OUT: out },
      timeout,
    });
  const [send, intruder, store] = [
    aFunction('Send', 'send'),
    aFunction('Intruder', 'send'),
    // Its batch comes again after that time.
    aFunction('Store', 'store', Duration.seconds(1)),
  ];
  queue.grantSendMessages(send);
  const source = { batchSize: 100, maxBatchingWindow: Duration.seconds(0), reportBatchItemFailures: true };
  if (grantsReading) store.addEventSource(new sources.SqsEventSource(queue, source));
  else new lambda.EventSourceMapping(stack, 'Mapping', { target: store, eventSourceArn: queue.queueArn });
  const ids = {
    send: stack.getLogicalId(send.node.defaultChild as lambda.CfnFunction),
    intruder: stack.getLogicalId(intruder.node.defaultChild as lambda.CfnFunction),
  };
  app.synth();
  return {
    assembly: join(folder, 'cdk.out'),
    data: join(folder, 'data'),
    ids,
    handled: () => readFileSync(out, 'utf8').split('\n').slice(0, -1),
  };
}
