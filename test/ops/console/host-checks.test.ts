import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkHost } from '../../../ops/console/host-checks.ts';

let server: Server;
let answer: RequestListener;
beforeAll(async () => {
  server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const filesOf = async (patienceMs?: number) => {
  const shortBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const checks = await checkHost({ shortBase }, 'go.example.com', patienceMs);
  return checks.slice(2).map(({ result, detail }) => [result, detail]);
};

test('a file that a host serves as JSON is good', async () => {
  answer = (_, response) => response.setHeader('content-type', 'application/json').end('{}');
  const good = ['good', 'Served as JSON, without a redirect.'];
  expect(await filesOf()).toEqual([good, good]);
});

// A host may lead to a machine of anybody's.
test('a file without an end is bad', async () => {
  answer = (_, response) => {
    response.setHeader('content-type', 'application/json');
    const more = () => response.destroyed || response.write('x'.repeat(65_536), () => setImmediate(more));
    more();
  };
  const bad = ['bad', 'Longer than any file of the service.'];
  expect(await filesOf()).toEqual([bad, bad]);
});

test('a file that comes too slowly is bad', async () => {
  answer = (_, response) => {
    const more = () => response.destroyed || response.write(' ', () => setTimeout(more, 5));
    more();
  };
  const bad = ['bad', 'No answer within 0.1 s'];
  expect(await filesOf(100)).toEqual([bad, bad]);
});
