import type { ClientRequest, IncomingMessage, Agent as PooledAgent } from 'node:http';
import { type Credentials, signedHeaders } from './signature.ts';
import { type CancellationReason, TableError } from './table-error.ts';
import type { TableAction, WireCall } from './wire-table.ts';

const throttles = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
]);

/** The table's location, and the credentials to call it with. */
export interface TableAccess {
  readonly endpoint: URL;
  readonly region: string;
  /** Read at every call. */
  readonly credentials: () => Credentials;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const tableAccess = (environment: Environment): TableAccess => serviceAccess(environment, 'dynamodb');

/** As Lambda states it; the endpoint as every AWS client takes it from the environment. */
export const serviceAccess = (environment: Environment, service: 'dynamodb' | 'firehose'): TableAccess => {
  const region = environment.AWS_REGION || 'us-east-1';
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const endpoint =
    environment[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] ||
    environment.AWS_ENDPOINT_URL ||
    `https://${service}.${region}.${suffix}`;
  return {
    endpoint: new URL(endpoint),
    region,
    credentials: () => ({
      accessKeyId: environment.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? '',
      sessionToken: environment.AWS_SESSION_TOKEN,
    }),
  };
};

export interface Call {
  readonly action: TableAction;
  readonly input: object;
  /** For all attempts together, in milliseconds. */
  readonly deadlineMs: number;
}

/** Calls the DynamoDB API. Throws TableError, or what kept the answer away. */
export type LeanClient = (call: Call) => Promise<Record<string, unknown>>;

interface Patience {
  readonly attempts: number;
  /** The longest pause before the second attempt; each further one may wait that much longer. */
  readonly pauseMs: number;
  /** Whether a throttled read may finally be answered by an older copy. */
  readonly readsOlder: boolean;
}

/** For a visitor who waits: slightly stale data rather than an error. */
const forVisitors: Patience = { attempts: 3, pauseMs: 30, readsOlder: true };

/** For a client of the API, which is told what is stored now, or to come back. */
const forClients: Patience = { attempts: 5, pauseMs: 60, readsOlder: false };

/** The client of a function of the API. */
export const patientClient = (access: TableAccess, deadlineMs: number): WireCall => {
  const client = leanClient(access, forClients);
  return (action, input) => client({ action, input, deadlineMs });
};

/**
 * The whole client of the functions, where a full SDK would take most of the time. None of its attempts is used up
 * by a pooled connection that had died before: a container that was frozen wakes up with those.
 */
export const leanClient = (access: TableAccess, patience = forVisitors): LeanClient => {
  const { attempts, pauseMs, readsOlder } = patience;
  const connection = connect(access);
  return async ({ action, input, deadlineMs }) => {
    const until = Date.now() + deadlineMs;
    let body = JSON.stringify(input);
    let isFresh = false;
    let sent = 0;
    for (let attempt = 1; ; ) {
      try {
        sent += 1;
        return resultOf(await connection.post({ action, body, until, isFresh }));
      } catch (error) {
        if (error instanceof DeadConnection) continue;
        if (error instanceof TableError) error.isRepeated = sent > 1;
        const isFinal = error instanceof TableError && !error.isRetryable;
        if (isFinal || attempt === attempts || Date.now() >= until) throw error;
        attempt += 1;
        isFresh = attempt === attempts || isTimeout(error);
        if (readsOlder && attempt === attempts && isThrottle(error)) body = JSON.stringify(eventually(input));
        if (!isTimeout(error)) await pause(pauseMs * attempt);
      }
    }
  };
};

const isThrottle = (error: unknown) => error instanceof TableError && throttles.has(error.name);
const isTimeout = (error: unknown) => error instanceof TableError && error.name === 'TimeoutError';

const eventually = (input: object): object =>
  'ConsistentRead' in input ? { ...input, ConsistentRead: false } : input;

const pause = (mostMs: number) => new Promise((resolve) => setTimeout(resolve, Math.random() * mostMs));

/** The far side had closed a pooled connection before the request; it has not seen the request. */
class DeadConnection extends Error {}

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Post {
  readonly action: string;
  readonly body: string;
  readonly until: number;
  /** By a connection made for this request. */
  readonly isFresh: boolean;
}

const connect = ({ endpoint, region, credentials }: TableAccess) => {
  const secure = endpoint.protocol === 'https:';
  // Not by import: that evaluates every export of `node:http`, a whole WebSocket client among them, and takes 30 ms.
  const { Agent, request } = process.getBuiltinModule(secure ? 'node:https' : 'node:http');
  const pool: PooledAgent = new Agent({ keepAlive: true });
  const { host, hostname, port } = endpoint;
  const post = ({ action, body, until, isFresh }: Post): Promise<Answer> => {
    const target = `DynamoDB_20120810.${action}`;
    const headers = {
      ...signedHeaders({ host, region, target, body }, credentials()),
      'content-length': Buffer.byteLength(body),
    };
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const agent = isFresh ? false : pool;
    const call = request({ hostname, port, path: '/', method: 'POST', headers, agent });
    let hasAnswer = false;
    call.on('response', (answer) => {
      hasAnswer = true;
      readAnswer(answer, resolve, reject);
    });
    call.on('error', (error) =>
      reject(!hasAnswer && isDead(call, error) ? new DeadConnection(error.message) : error),
    );
    limit(call, until);
    call.end(body);
    return promise;
  };
  return { post };
};

const isDead = ({ reusedSocket }: ClientRequest, error: NodeJS.ErrnoException): boolean =>
  reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/**
 * By a timer: an abort signal for each call showed in profiles. A pooled connection gets half of the time, so that
 * one which hangs leaves time for a fresh one.
 */
const limit = (call: ClientRequest, until: number): void => {
  const giveUp = () => call.destroy(new TableError({ name: 'TimeoutError', isRetryable: true }));
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
  const { __type = '', Item: item, CancellationReasons: reasons } = errorIn(text);
  const type = __type.split('#').at(-1) || `HTTP ${status}`;
  const isRetryable = status >= 500 || throttles.has(type) || type === 'TransactionConflictException';
  throw new TableError({ name: type, message: `${type}: ${text.slice(0, 300)}`, isRetryable, item, reasons });
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
