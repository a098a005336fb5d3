import type { IncomingMessage } from 'node:http';
import { sign } from 'aws4';

/** What DynamoDB answered instead of a result. */
export class TableError extends Error {
  /** Such as `ConditionalCheckFailedException`. */
  readonly type: string;
  readonly retryable: boolean;

  constructor(type: string, retryable: boolean, message = type) {
    super(message);
    this.type = type;
    this.retryable = retryable;
  }
}

const throttled = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'TransactionConflictException',
]);

const region = process.env.AWS_REGION ?? 'us-east-1';
const partitionSuffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
const endpoint = new URL(
  process.env.AWS_ENDPOINT_URL_DYNAMODB ?? `https://dynamodb.${region}.${partitionSuffix}`,
);
const secure = endpoint.protocol === 'https:';
// Not by import: that evaluates every export of `node:http`, a whole WebSocket client among them, and takes 30 ms.
const { Agent, request } = process.getBuiltinModule(secure ? 'node:https' : 'node:http');
const agent = new Agent({ keepAlive: true });

const attempts = 2;

/**
 * One call of the DynamoDB API, tried twice: the whole client of the redirect, whose cold start a full SDK would
 * double. Throws TableError; an aborted call is not repeated.
 */
export const callTable = async (
  action: 'GetItem' | 'Query' | 'UpdateItem',
  input: object,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> => {
  const body = JSON.stringify(input);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await post(action, body, signal);
    } catch (error) {
      const final = error instanceof TableError && !error.retryable;
      if (final || signal?.aborted || attempt === attempts) throw error;
    }
  }
};

const post = (action: string, body: string, signal?: AbortSignal): Promise<Record<string, unknown>> => {
  const signed = sign(
    {
      host: endpoint.host,
      path: '/',
      method: 'POST',
      service: 'dynamodb',
      region,
      headers: {
        'Content-Type': 'application/x-amz-json-1.0',
        'X-Amz-Target': `DynamoDB_20120810.${action}`,
      },
      body,
    },
    credentials(),
  );
  return new Promise((resolve, reject) => {
    const call = request(
      {
        hostname: endpoint.hostname,
        port: endpoint.port,
        path: '/',
        method: 'POST',
        headers: signed.headers,
        agent,
        ...(signal && { signal }),
      },
      (answer) => readAnswer(answer).then(resolve, reject),
    );
    call.on('error', reject);
    call.end(body);
  });
};

/** Read at every call: Lambda replaces the variables' values only in a new environment, tests at any time. */
const credentials = () => ({
  accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
  secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? '',
  ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
});

const readAnswer = async (answer: IncomingMessage): Promise<Record<string, unknown>> => {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const status = answer.statusCode ?? 500;
  if (status === 200) return JSON.parse(text) as Record<string, unknown>;
  const type = /"__type"\s*:\s*"(?:[^"#]*#)?([^"]+)"/.exec(text)?.[1] ?? `HTTP ${status}`;
  throw new TableError(type, status >= 500 || throttled.has(type), `${type}: ${text.slice(0, 300)}`);
};
