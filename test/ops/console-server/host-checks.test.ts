import type { RequestListener } from 'node:http';
import { checkHost } from '../../../ops/console-server/host-checks.ts';
import { listen } from '../../support/listen.ts';
import { ofFile } from '../../support/of-file.ts';

let answer: RequestListener;
const server = ofFile(() => listen((request, response) => answer(request, response)));

const filesOf = async (timeoutMs?: number) => {
  const checks = await checkHost({ shortBase: server.endpoint }, 'go.example.com', timeoutMs);
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
