import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

export interface HttpServer {
  /** `host:port` */
  readonly authority: string;
  readonly url: string;
  /** Requests that come before this is called are answered with 503. */
  serve(listener: RequestListener): void;
  /** Holds requests until the next `serve`; resolves when running ones have ended, or after `graceMs`. */
  pause(graceMs?: number): Promise<void>;
  /** Closes to new connections and waits at most `graceMs` for running requests. */
  stop(graceMs?: number): Promise<void>;
}

export interface ListenOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** How to choose another port, for the message when this one is taken. */
  readonly portOption?: string;
}

/**
 * Listens on the loopback address immediately, so that the address is known before there is anything to
 * serve.
 */
export async function listen({ port, portOption }: ListenOptions): Promise<HttpServer> {
  let serve: RequestListener = (_request, response) => {
    response.writeHead(503, { 'retry-after': '1' }).end();
  };
  const waiting: Parameters<RequestListener>[] = [];
  let isPaused = false;
  let running = 0;
  let onIdle: () => void = () => undefined;
  const ended = () => {
    running -= 1;
    if (running === 0) onIdle();
  };
  const take: RequestListener = (request, response) => {
    running += 1;
    response.once('close', ended);
    serve(request, response);
  };
  const server = createServer({ maxHeaderSize: 64 * 1024, keepAliveTimeout: 60_000 }, (request, response) => {
    if (isPaused) waiting.push([request, response]);
    else take(request, response);
  });
  await opened(server, port, portOption);
  const { port: actual } = server.address() as AddressInfo;
  server.on('clientError', (error: ParseError, socket) => {
    const packet = error.code === 'HPE_INVALID_URL' ? error.rawPacket : undefined;
    const plain = packet && withPlainTarget(packet);
    if (plain) askAgain(plain, actual, socket);
    else socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  const authority = `127.0.0.1:${actual}`;
  return {
    authority,
    url: `http://${authority}`,
    serve: (listener) => {
      serve = listener;
      isPaused = false;
      for (const [request, response] of waiting.splice(0)) take(request, response);
    },
    pause: async (graceMs = defaultGraceMs) => {
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
        if (running === 0) resolve();
      });
      isPaused = true;
      await Promise.race([idle, sleep(graceMs, undefined, { ref: false })]);
    },
    stop: async (graceMs = defaultGraceMs) => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A keep-alive connection becomes idle only after its response is sent.
      const sweep = setInterval(() => server.closeIdleConnections(), 10);
      const limit = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(limit);
    },
  };
}

const defaultGraceMs = 1500;

interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/**
 * The request with non-ASCII bytes of its target percent-encoded; undefined if it has none. AWS's edges accept such
 * bytes, Node's parser doesn't. The connection ends with the response.
 */
function withPlainTarget(packet: Buffer): Buffer | undefined {
  const [line = '', ...rest] = packet.toString('latin1').split('\r\n');
  const plain = line.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  return plain === line
    ? undefined
    : Buffer.from([plain, 'Connection: close', ...rest].join('\r\n'), 'latin1');
}

function askAgain(packet: Buffer, port: number, viewer: Duplex): void {
  const again = connect(port, '127.0.0.1', () => again.write(packet));
  again.pipe(viewer);
  again.on('error', () => viewer.destroy());
  viewer.on('error', () => again.destroy());
}

function opened(server: Server, port: number, portOption?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error);
      const choice = portOption ? ` or choose another with ${portOption}` : '';
      reject(new Error(`port ${port} is already in use: stop the other program${choice}`));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}

/**
 * The request's body, or undefined if it is larger than `limit` bytes. The rest is read all the same: a client that is
 * still writing when its connection is closed may not see the response.
 */
export async function bodyWithin(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  return size <= limit ? Buffer.concat(chunks) : undefined;
}

/** Whether a body comes with the request at all, by its framing. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
