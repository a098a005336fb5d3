import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Credentials, signedHeaders } from './signature.ts';

/** What DynamoDB answered instead of a result; `name` is its own, such as `ConditionalCheckFailedException`. */
export class TableError extends Error {
  readonly retryable: boolean;
  /** In the wire format: what a failed condition was held against, where the call asked for it. */
  readonly item: unknown;

  constructor(name: string, retryable: boolean, message = name, item?: unknown) {
    super(message);
    this.name = name;
    this.retryable = retryable;
    this.item = item;
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
 * One call of the DynamoDB API, tried twice: the whole client of the hot path, where a full SDK would take most of
 * the time. Throws TableError, or what kept the answer away. Both tries together take `deadlineMs` at most.
 */
export const callTable = async (
  action: 'GetItem' | 'Query' | 'UpdateItem',
  input: object,
  deadlineMs = Number.POSITIVE_INFINITY,
): Promise<Record<string, unknown>> => {
  const body = JSON.stringify(input);
  const until = Date.now() + deadlineMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return resultOf(await post(action, body, until));
    } catch (error) {
      const final = error instanceof TableError && !error.retryable;
      if (final || attempt === attempts) throw error;
    }
  }
};

interface Answer {
  readonly status: number;
  readonly text: string;
}

const post = (action: string, body: string, until: number): Promise<Answer> => {
  const { host, hostname, port } = endpoint;
  const target = `DynamoDB_20120810.${action}`;
  const headers = {
    ...signedHeaders({ host, region, target, body }, credentials()),
    'content-length': Buffer.byteLength(body),
  };
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const call = request({ hostname, port, path: '/', method: 'POST', headers, agent });
  call.on('response', (answer) => readAnswer(answer, resolve, reject));
  call.on('error', reject);
  limit(call, until);
  call.end(body);
  return promise;
};

/** By a timer: an abort signal for each call showed in profiles. */
const limit = (call: ClientRequest, until: number): void => {
  if (until === Number.POSITIVE_INFINITY) return;
  const giveUp = () => call.destroy(new TableError('TimeoutError', false));
  const left = until - Date.now();
  if (left <= 0) return void giveUp();
  const timer = setTimeout(giveUp, left);
  call.on('close', () => clearTimeout(timer));
};

const readAnswer = (
  answer: IncomingMessage,
  resolve: (answer: Answer) => void,
  reject: (reason: unknown) => void,
): void => {
  let text = '';
  answer.setEncoding('utf8');
  answer.on('error', reject);
  answer.on('data', (chunk: string) => {
    text += chunk;
  });
  answer.on('end', () => resolve({ status: answer.statusCode ?? 500, text }));
};

const resultOf = ({ status, text }: Answer): Record<string, unknown> => {
  if (status === 200) return JSON.parse(text) as Record<string, unknown>;
  const { __type = '', Item } = errorIn(text);
  const type = __type.split('#').at(-1) || `HTTP ${status}`;
  throw new TableError(type, status >= 500 || throttled.has(type), `${type}: ${text.slice(0, 300)}`, Item);
};

/** What stands between us and the table may answer with something that isn't JSON. */
const errorIn = (text: string): { readonly __type?: string; readonly Item?: unknown } => {
  try {
    return (JSON.parse(text) ?? {}) as object;
  } catch {
    return {};
  }
};

/** Read at every call: Lambda replaces the variables' values only in a new environment, tests at any time. */
const credentials = (): Credentials => ({
  accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
  secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? '',
  sessionToken: process.env.AWS_SESSION_TOKEN,
});
