import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { consoleHeaders } from '../../core/pages/console-headers.ts';
import { imagePage } from '../../core/pages/image-page.ts';
import { closeServer } from '../base/close-server.ts';
import { OperatorError } from '../base/operator-error.ts';
import { appFiles } from './app-files.ts';
import type { Subject } from './call.ts';
import { type Gate, gateOf, requestedAddress } from './gate.ts';
import { LinkIndexes } from './link-index.ts';

const defaultPort = 8789;

export interface ConsoleOptions extends Subject {
  /** 0 picks a free port. By default the usual port, or a free one if that is in use. */
  readonly port?: number | undefined;
  /** The flag for the port, to name it in the message if the port is in use. */
  readonly portOption: string;
  /** The previous address, which users may have kept. Its token is reused, and its port if free. */
  readonly before?: string | undefined;
}

/** Serves the operator's console on the loopback address to the browser that opens its address, with the token in it. */
export const startConsole = async ({ port, portOption, before, ...subject }: ConsoleOptions) => {
  const server = createServer();
  const kept = before === undefined ? undefined : new URL(before);
  const free = [...(kept ? [Number(kept.port)] : []), ...(port === undefined ? [defaultPort] : []), 0];
  if (!(await listenToOne(server, port ? [port] : free))) {
    throw new OperatorError(
      `port ${port} is already in use: stop the other program or choose another with ${portOption}`,
    );
  }
  const { port: actual } = server.address() as AddressInfo;
  const gate = gateOf(`127.0.0.1:${actual}`, kept?.searchParams.get('token') ?? undefined);
  const served = { ...subject, gate, indexes: new LinkIndexes(subject.deployment.stores) };
  server.on('request', (request, response) => {
    answer(request, response, served).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  return {
    address: gate.address,
    stop: () => closeServer(server),
  };
};

/** Listens on the first free port; false if all are in use. */
const listenToOne = async (server: Server, ports: readonly number[]): Promise<boolean> => {
  for (const port of ports) if (await listen(server, port)) return true;
  return false;
};

/** False if the port is in use. */
const listen = (server: Server, port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error);
    server.once('error', failed);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', failed);
      resolve(true);
    });
  });

interface Served extends Subject {
  readonly gate: Gate;
  readonly indexes: LinkIndexes;
}

const answer = async (request: IncomingMessage, response: ServerResponse, { gate, ...served }: Served) => {
  for (const [name, value] of Object.entries(consoleHeaders)) response.setHeader(name, value);
  const admission = gate.admit(request);
  if (admission.kind === 'refused') return refuse(response, admission);
  if (admission.kind === 'welcome') {
    response.writeHead(303, { Location: admission.location, 'Set-Cookie': admission.cookie }).end();
    return;
  }
  const { pathname, searchParams } = requestedAddress(request);
  const name = /^\/api\/([A-Za-z]+)$/.exec(pathname)?.[1];
  if (name !== undefined && request.method === 'POST') {
    // Loaded late, because the calls' libraries would slow down npm start.
    const { answerCall } = await import('./answer-call.ts');
    return answerCall(name, { request, response, ...served });
  }
  if (name !== undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
    response.setHeader('Allow', name === undefined ? 'GET, HEAD' : 'POST');
    return refuse(response, { status: 405, message: 'This address requires another method.' });
  }
  const image = pathname === '/image' ? imagePage(searchParams.get('src')) : undefined;
  if (image) {
    response.writeHead(200, image.headers).end(image.html);
    return;
  }
  return sendFile(pathname, response, served.deployment.consoleName);
};

const refuse = (response: ServerResponse, { status, message }: { status: number; message: string }): void => {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
  response.end(`${message}\n`);
};

/** Addresses without a dot are views, so they get the app. */
const sendFile = async (pathname: string, response: ServerResponse, name?: string): Promise<void> => {
  const files = await appFiles(name);
  const file = files.get(pathname) ?? (pathname.includes('.') ? undefined : files.get('/'));
  if (!file) return refuse(response, { status: 404, message: 'There is nothing here.' });
  response.writeHead(200, { 'Content-Type': file.type }).end(file.content);
};
