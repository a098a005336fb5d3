import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';

/** One call of the DynamoDB API. */
export interface EngineCall {
  /** Such as `GetItem`. */
  readonly operation: string;
  /** Access key id of the caller, by which the local stack names its functions. */
  readonly caller: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface EngineAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Handles a call between a caller and the engine: forwards it (unchanged or with another body), responds in
 * the engine's place, or hangs up. With a promise that never settles, the caller gets no answer.
 */
export type Intercept = (
  call: EngineCall,
  forward: (body?: Buffer) => Promise<EngineAnswer>,
) => Promise<EngineAnswer | 'hang up'>;

export interface EngineProxy {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * Serves an engine's API on a loopback port, with every call going through `intercept`. Web pages in a
 * browser of this machine could reach it, too. Their calls are refused, because engines accept any
 * credentials.
 */
export async function startEngineProxy(engine: string, intercept: Intercept): Promise<EngineProxy> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer(async (incoming, outgoing) => {
    if (isOfWebPage(incoming)) return refuseWebPage(incoming, outgoing);
    try {
      const call = await readCall(incoming);
      const answer = await intercept(call, (body = call.body) => forward({ engine, agent, incoming, body }));
      if (answer === 'hang up') incoming.socket.destroy();
      else outgoing.writeHead(answer.status, answer.headers).end(answer.body);
    } catch (error) {
      if (outgoing.headersSent) outgoing.destroy();
      else {
        const failed = refusal({ status: 500, type: 'InternalServerError', message: String(error) });
        outgoing.writeHead(failed.status, failed.headers).end(failed.body);
      }
    }
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    agent.destroy();
  };
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/**
 * Browsers send an Origin with every call that could change or read something; SDKs never do. If somebody
 * else's DNS name resolves to this machine, that name is in Host.
 */
function isOfWebPage({ headers, socket }: IncomingMessage): boolean {
  const own = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`];
  return headers.origin !== undefined || !own.includes(headers.host?.toLowerCase() ?? '');
}

function refuseWebPage(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const message = 'The local stack refuses calls from web pages: call it at 127.0.0.1 and without an Origin';
  const { status, headers, body } = refusal({ status: 403, type: 'AccessDeniedException', message });
  outgoing.writeHead(status, headers).end(body);
  incoming.resume();
}

/** A failure as DynamoDB words it. */
export function refusal({
  status = 400,
  type,
  message,
}: {
  status?: number;
  type: string;
  message: string;
}): EngineAnswer {
  return jsonAnswer({ __type: `com.amazon.coral.service#${type}`, Message: message, message }, status);
}

export function jsonAnswer(value: object, status = 200): EngineAnswer {
  const body = Buffer.from(JSON.stringify(value));
  return {
    status,
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': String(body.length),
      'x-amz-crc32': String(crc32(body)),
    },
    body,
  };
}

async function readCall(incoming: IncomingMessage): Promise<EngineCall> {
  return {
    operation: String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '',
    caller: /Credential=([^/,\s]+)/.exec(incoming.headers.authorization ?? '')?.[1] ?? '',
    headers: incoming.headers,
    body: await bytes(incoming),
  };
}

interface Forwarded {
  readonly engine: string;
  readonly agent: Agent;
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
}

/** Bytes and headers go through as they are: the SDK checks the answer's x-amz-crc32. */
async function forward({ engine, agent, incoming, body }: Forwarded): Promise<EngineAnswer> {
  // The engine, or a proxy in front of it, is called by its own name.
  const { connection: _, 'transfer-encoding': __, host: ___, ...headers } = incoming.headers;
  headers['content-length'] = String(body.length);
  const upstream = request(engine, { method: incoming.method, path: incoming.url, headers, agent });
  const answered = once(upstream, 'response');
  upstream.end(body);
  const [response] = (await answered) as [IncomingMessage];
  const answer = await bytes(response);
  const { connection: ____, 'keep-alive': _____, 'transfer-encoding': ______, ...kept } = response.headers;
  return {
    status: response.statusCode ?? 502,
    headers: { ...kept, 'content-length': String(answer.length) },
    body: answer,
  };
}

function bytes(stream: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => resolve(Buffer.concat(chunks)));
    stream.on('error', reject);
  });
}
