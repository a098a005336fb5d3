import { lookup } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import {
  checkedAddresses,
  mayConnect,
  privateAddress,
  type Reach,
  type Resolve,
} from './receiver-address.ts';

/** A request's result. Without a status, no response arrived in time, or no connection was possible. */
export interface SendResult {
  readonly status?: number | undefined;
  readonly error?: string | undefined;
  readonly retryAfter?: string | undefined;
  /** The start of the response's body. */
  readonly answer?: string | undefined;
  readonly ms: number;
}

export interface Posting {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Deadline for name resolution, connection and response together. */
export const answerMs = 10_000;
/** How much of a response's body is kept. */
const keptAnswerBytes = 1024;
/** Limits for a response's body, of which the rest is discarded. A longer or slower body closes the connection. */
const mostAnswerBytes = 16_384;
const longestBodyMs = 1000;

export interface ReceiverOptions extends Reach {
  readonly resolve?: Resolve;
  readonly deadlineMs?: number;
  readonly bodyMs?: number;
  /** Concurrent connections to a host. */
  readonly sockets: number;
}

const resolveAll: Resolve = (host) => lookup(host, { all: true });

/**
 * An HTTP client for receivers. Concurrent connections share one name resolution, and use only checked addresses. It
 * follows no redirects and uses no proxy.
 */
export const openReceiver = ({
  isLocal,
  resolve = resolveAll,
  deadlineMs = answerMs,
  bodyMs = longestBodyMs,
  sockets,
}: ReceiverOptions) => {
  const reach = { isLocal };
  /** Lookups in progress. The system resolves few names at once, so a slow one must not occupy several places. */
  const resolving = new Map<string, ReturnType<typeof checkedAddresses>>();
  const addressesOf = (host: string) => {
    const known = resolving.get(host);
    if (known) return known;
    const found = checkedAddresses(host, resolve, reach).finally(() => resolving.delete(host));
    resolving.set(host, found);
    return found;
  };
  /** Returns all addresses of a name; Node tries one after the other. */
  const checked: LookupFunction = (host, _, done) => {
    addressesOf(host).then(
      (found) => done(null, [...found]),
      (error: Error) => done(error, ''),
    );
  };
  const pool = { keepAlive: true, maxSockets: sockets };
  const agents = { 'https:': new https.Agent(pool), 'http:': new http.Agent(pool) };

  const post = (
    { url, headers, body }: Posting,
    { begun = performance.now(), isFresh = false } = {},
  ): Promise<SendResult> => {
    const { promise, resolve: settle } = Promise.withResolvers<SendResult>();
    let isOver = false;
    const sinceBegun = () => Math.round(performance.now() - begun);
    const end = (outcome: Omit<SendResult, 'ms'>) => {
      if (!isOver) settle({ ...outcome, ms: sinceBegun() });
      isOver = true;
    };
    const target = new URL(url);
    const isSecure = target.protocol === 'https:';
    const host = target.hostname.replace(/^\[|\]$/g, '');
    // Node doesn't call `lookup` for IP addresses, so they are checked here.
    if ((!isSecure && !isLocal) || (isIP(host) !== 0 && !mayConnect(host, reach)))
      return Promise.resolve({ error: privateAddress(host).message, ms: 0 });
    const deadline = AbortSignal.timeout(Math.max(0, Math.ceil(begun + deadlineMs - performance.now())));
    const call = (isSecure ? https : http).request(target, {
      method: 'POST',
      signal: deadline,
      agent: isFresh ? false : agents[isSecure ? 'https:' : 'http:'],
      lookup: checked,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      ...(isSecure && { rejectUnauthorized: true }),
    });
    call.on('error', (error: NodeJS.ErrnoException) => {
      // The receiver had closed a pooled connection.
      if (!isOver && call.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') && !isFresh)
        settle(post({ url, headers, body }, { begun, isFresh: true }));
      else
        end({ error: deadline.aborted ? `No answer within ${deadlineMs / 1000} seconds` : reasonOf(error) });
    });
    call.on('close', () => end({ error: 'The connection ended without an answer' }));
    call.on('response', (answer) => {
      const { statusCode: status = 0, headers } = answer;
      isOver = true;
      const result = {
        status,
        retryAfter: headers['retry-after'],
        ...(status >= 300 && status < 400 && { error: redirects }),
        ms: sinceBegun(),
      };
      readStart(answer, bodyMs, (text) => settle({ ...result, ...(text && { answer: text }) }));
    });
    call.end(body);
    return promise;
  };

  const close = () => {
    for (const agent of Object.values(agents)) agent.destroy();
  };
  return { post, close };
};

const redirects = "Redirects aren't followed: use the final address";

/** A failed connection's reason, without Node's advice to its own users; a certificate's may name thousands of hosts. */
const reasonOf = ({ message }: Error): string => message.replace(/; if the root CA is.*/, '').slice(0, 300);

/**
 * Reads a body within limits, so that the connection, or its place in the pool, can be reused. `onStart` gets its start,
 * once that or the whole body is read or the time is up.
 */
const readStart = (answer: IncomingMessage, longestMs: number, onStart: (text: string) => void): void => {
  let bytes = 0;
  const kept: Buffer[] = [];
  // A cut character at the end is left out.
  const give = () =>
    onStart(new TextDecoder().decode(Buffer.concat(kept).subarray(0, keptAnswerBytes), { stream: true }));
  const timer = setTimeout(() => answer.destroy(), longestMs);
  answer.on('close', () => {
    clearTimeout(timer);
    give();
  });
  answer.on('error', () => undefined);
  answer.on('data', (chunk: Buffer) => {
    if (bytes < keptAnswerBytes) kept.push(chunk);
    bytes += chunk.length;
    if (bytes >= keptAnswerBytes) give();
    if (bytes > mostAnswerBytes) answer.destroy();
  });
};
