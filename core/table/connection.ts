import type { ClientRequest, IncomingMessage, Agent as PooledAgent } from 'node:http';
import { AwsError, type CancellationReason } from './errors.ts';
import type { Transport } from './items.ts';
import { type Credentials, signed } from './signature.ts';

/* Functions don't contain the SDK, which was more than half of their code; operators' tools use it for its credentials. */

/** AWS services that functions call: their names in endpoint variables, and the prefix of `x-amz-target`. */
const services = {
  dynamodb: { variable: 'DYNAMODB', target: 'DynamoDB_20120810' },
  events: { variable: 'EVENTBRIDGE', target: 'AWSEvents' },
  firehose: { variable: 'FIREHOSE', target: 'Firehose_20150804' },
  s3: { variable: 'S3', target: '' },
  secretsmanager: { variable: 'SECRETS_MANAGER', target: 'secretsmanager' },
  sqs: { variable: 'SQS', target: 'AmazonSQS' },
} as const;

export type ServiceName = keyof typeof services;

/** Endpoint and credentials of the table, or of another AWS service. */
export interface TableAccess {
  readonly service: ServiceName;
  readonly endpoint: URL;
  readonly region: string;
  /** Called for each request, because credentials rotate. */
  readonly credentials: () => Credentials;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Access from Lambda's environment, also to another region. Endpoints may be overridden with the variables that every AWS
 * client reads.
 */
export const serviceAccess = (
  environment: Environment,
  service: ServiceName,
  elsewhere?: string,
): TableAccess => {
  const region = elsewhere || environment.AWS_REGION || 'us-east-1';
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const endpoint =
    environment[`AWS_ENDPOINT_URL_${services[service].variable}`] ||
    environment.AWS_ENDPOINT_URL ||
    `https://${service}.${region}.${suffix}`;
  return {
    service,
    endpoint: new URL(endpoint),
    region,
    credentials: () => ({
      accessKeyId: environment.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? '',
      sessionToken: environment.AWS_SESSION_TOKEN,
    }),
  };
};

interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * A minimal client for DynamoDB and AWS APIs with the same protocol, with a pool of connections. The AWS SDK takes
 * twice the processor time, and five times as long to load.
 */
export const connect = ({ service, endpoint, region, credentials }: TableAccess): Transport<string> => {
  const secure = endpoint.protocol === 'https:';
  // An import would evaluate every export of `node:http`, including a WebSocket client, which takes 30 ms.
  const { Agent, request } = process.getBuiltinModule(secure ? 'node:https' : 'node:http');
  const pool: PooledAgent = new Agent({ keepAlive: true });
  const { host, hostname, port } = endpoint;
  const type = `application/x-amz-json-1.${['dynamodb', 'sqs'].includes(service) ? 0 : 1}`;
  return async ({ action, input, until, isFresh }) => {
    const body = JSON.stringify(input);
    const own = { 'content-type': type, host, 'x-amz-target': `${services[service].target}.${action}` };
    const headers = {
      ...signed({ method: 'POST', path: '/', headers: own, body, region, service }, credentials()),
      'content-length': Buffer.byteLength(body),
    };
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const agent = isFresh ? false : pool;
    const call = request({ hostname, port, path: '/', method: 'POST', headers, agent });
    let hasAnswer = false;
    call.on('response', (answer) => {
      hasAnswer = true;
      readResponse(answer, resolve, reject);
    });
    call.on('error', (error) => reject(lost(error, !hasAnswer && isDead(call, error))));
    limit(call, until);
    call.end(body);
    return resultOf(await promise);
  };
};

const lost = (error: Error, wasDead = false): AwsError =>
  error instanceof AwsError
    ? error
    : new AwsError({ name: wasDead ? 'DeadConnection' : 'ConnectionLost', message: error.message });

/** Whether the server had closed a pooled connection, as happens while a container is frozen. */
const isDead = ({ reusedSocket }: ClientRequest, error: NodeJS.ErrnoException): boolean =>
  reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/**
 * Ends a call at its deadline; timers are cheaper than abort signals in profiles. A pooled connection gets half of the
 * time, so that if it hangs, a fresh one can still succeed.
 */
const limit = (call: ClientRequest, until: number): void => {
  const giveUp = () => call.destroy(new AwsError({ name: 'TimeoutError' }));
  const left = until - Date.now();
  if (left <= 0) return void giveUp();
  let timer = setTimeout(giveUp, left);
  call.on('socket', () => {
    if (!call.reusedSocket) return;
    clearTimeout(timer);
    timer = setTimeout(giveUp, left / 2);
  });
  call.on('close', () => clearTimeout(timer));
};

const readResponse = (
  answer: IncomingMessage,
  resolve: (answer: Answer) => void,
  reject: (reason: unknown) => void,
): void => {
  let text = '';
  answer.setEncoding('utf8');
  answer.on('error', (error) => reject(lost(error)));
  answer.on('data', (chunk: string) => {
    text += chunk;
  });
  answer.on('end', () => resolve({ status: answer.statusCode ?? 500, text }));
};

const resultOf = ({ status, text }: Answer): Record<string, unknown> => {
  if (status === 200) return JSON.parse(text) as Record<string, unknown>;
  const { __type = '', Item: item, CancellationReasons: reasons } = errorIn(text);
  const name = __type.split('#').at(-1) || `HTTP ${status}`;
  throw new AwsError({ name, message: `${name}: ${text.slice(0, 300)}`, status, item, reasons });
};

interface ErrorResponse {
  readonly __type?: string;
  readonly Item?: unknown;
  readonly CancellationReasons?: readonly CancellationReason[];
}

/** A proxy in front of the table may respond with something other than JSON. */
const errorIn = (text: string): ErrorResponse => {
  try {
    return (JSON.parse(text) ?? {}) as object;
  } catch {
    return {};
  }
};
