import { visitEach } from '../../bench/load.ts';
import { listen } from '../support/listen.ts';
import { ofFile } from '../support/of-file.ts';

let status = 302;
/** The number of visits by path and visitor. */
let visits = new Map<string, number>();
const server = ofFile(() =>
  listen(({ url, headers }, response) => {
    const visit = `${headers['x-sim-viewer-address']} ${url}`;
    visits.set(visit, (visits.get(visit) ?? 0) + 1);
    response.writeHead(status).end();
  }),
);
beforeEach(() => {
  status = 302;
  visits = new Map();
});

test('a counted load makes each visit once, in turn over paths and visitors', async () => {
  const load = { paths: ['/a', '/b', '/c'], visitors: 300, connections: 16 };
  await visitEach(server.endpoint, { ...load, visits: 1501 });
  const expected = new Map<string, number>();
  for (let i = 0; i < 1501; i += 1) {
    const [visitor, path] = [i % 300, load.paths[i % 3]];
    const visit = `203.0.${visitor >> 8}.${visitor & 255} ${path}`;
    expected.set(visit, (expected.get(visit) ?? 0) + 1);
  }
  expect(visits).toEqual(expected);
});

test('a load that gets another status fails', async () => {
  status = 404;
  const load = { paths: ['/a'], connections: 2 };
  await expect(visitEach(server.endpoint, { ...load, visits: 4, visitors: 2 })).rejects.toThrow(
    'Not every answer was 302',
  );
});
