import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';

/* A worker that redirects without a lookup: the upper limit of HTTP. */
const server = createServer((_, response) => {
  response.writeHead(302, { Location: 'https://example.com/landing' }).end();
}).listen(0, '127.0.0.1', () => {
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
