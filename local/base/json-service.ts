import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';

/** One call of a service in AWS's JSON protocol. */
export interface ServiceCall {
  /** Such as `GetItem`. */
  readonly operation: string;
  /** Access key id of the caller, by which the local stack names its functions; empty if the call isn't signed. */
  readonly caller: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ServiceResponse {
  readonly status: number;
  readonly text: string;
}

/** Another server's response that is passed on as it is. */
export interface PassedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Responds to a call, or hangs up. A thrown `Refused` becomes AWS's error, anything else an InternalServerError. If the
 * promise never settles, the caller gets no response.
 */
export type Respond = (
  call: ServiceCall,
  incoming: IncomingMessage,
) => Promise<ServiceResponse | PassedResponse | 'hang up'>;

export interface JsonService {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * Serves an API on a loopback port, by default a free one. Signatures aren't checked, so calls from web pages in a
 * browser of this machine are refused.
 */
export async function startJsonService(respond: Respond, port = 0): Promise<JsonService> {
  const server = createServer(async (incoming, outgoing) => {
    if (isOfWebPage(incoming)) {
      incoming.resume();
      return write(outgoing, ofWebPage);
    }
    try {
      const answer = await respond(await readCall(incoming), incoming);
      if (answer === 'hang up') incoming.socket.destroy();
      else write(outgoing, answer);
    } catch (error) {
      if (outgoing.headersSent) outgoing.destroy();
      else write(outgoing, error instanceof Refused ? refusal(error) : failureResponse(error));
    }
  });
  server.keepAliveTimeout = 60_000;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/**
 * Whether a web page sent the call. Browsers add an Origin to every call that could change or read something; SDKs
 * never do. If a foreign DNS name resolves to this machine, Host has that name.
 */
function isOfWebPage({ headers, socket }: IncomingMessage): boolean {
  const own = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`];
  return headers.origin !== undefined || !own.includes(headers.host?.toLowerCase() ?? '');
}

const ofWebPage = refusal({
  status: 403,
  type: 'AccessDeniedException',
  message: 'The local stack refuses calls from web pages: call it at 127.0.0.1 and without an Origin',
});

/** The failure of a call, with AWS's name of the error. */
export class Refused extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/** An error response as AWS words it. */
export function refusal({
  status = 400,
  type,
  message,
}: {
  status?: number;
  type: string;
  message: string;
}): ServiceResponse {
  return serviceResponse({ __type: `com.amazon.coral.service#${type}`, Message: message, message }, status);
}

export const failureResponse = (error: unknown): ServiceResponse =>
  refusal({ status: 500, type: 'InternalServerError', message: String(error) });

export function serviceResponse(value: object, status = 200): ServiceResponse {
  return { status, text: JSON.stringify(value) };
}

/** SDKs check the body against x-amz-crc32. */
function write(outgoing: ServerResponse, answer: ServiceResponse | PassedResponse): void {
  if ('headers' in answer) {
    outgoing.writeHead(answer.status, answer.headers).end(answer.body);
    return;
  }
  const body = Buffer.from(answer.text);
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': body.length,
    'x-amz-crc32': crc32(body),
  };
  outgoing.writeHead(answer.status, headers).end(body);
}

async function readCall(incoming: IncomingMessage): Promise<ServiceCall> {
  const { headers } = incoming;
  return {
    operation: operationOf(headers['x-amz-target']),
    caller: callerOf(headers.authorization),
    headers,
    body: await bytesOf(incoming),
  };
}

/** The operation in a target, without the service's name and version. */
export const operationOf = (target: unknown): string => String(target).split('.').at(-1) ?? '';

const callerOf = (authorization: string | undefined): string =>
  /Credential=([^/,\s]+)/.exec(authorization ?? '')?.[1] ?? '';

export function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => resolve(Buffer.concat(chunks)));
    stream.on('error', reject);
  });
}
