import { transferCalls } from '../../../ops/console-server/calls/transfer.ts';
import { type RunningConsole, startConsole } from '../../../ops/console-server/server.ts';
import { createProject } from '../../../ops/projects/projects.ts';
import { fileDeployment } from '../../support/ops-deployment.ts';

const rows = 3000;

const deployment = fileDeployment();
let served: RunningConsole | undefined;
afterAll(async () => {
  await served?.stop();
});

test('an import ends soon after its page is closed', async () => {
  const run = jest.spyOn(transferCalls.importLinks, 'run');
  await createProject(deployment, { id: 'acme' });
  served = await startConsole({ deployment, name: 'A stack', flags: '', port: 0, portOption: '--port' });
  const welcome = await fetch(served.address, { redirect: 'manual' });
  const [, key = ''] = (welcome.headers.get('location') ?? '').split('#');
  const file = Array.from({ length: rows }, (_, i) =>
    JSON.stringify({ code: `link-${i}`, payload: { link: 'https://example.com/' } }),
  );
  const input = { project: 'acme', name: 'links.ndjson', dryRun: false };
  const leaving = new AbortController();
  const response = await fetch(new URL('/api/importLinks', served.address), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Console-Key': key,
      Cookie: welcome.headers.get('set-cookie')?.split(';')[0] ?? '',
      Origin: new URL(served.address).origin,
    },
    body: JSON.stringify({ ...input, file: Buffer.from(file.join('\n')).toString('base64') }),
    signal: leaving.signal,
  });
  // The answer begins with the first progress.
  expect(response.status).toBe(200);
  leaving.abort();
  const { totals } = (await run.mock.results[0]?.value) ?? {};
  expect(totals.created).toBeGreaterThan(0);
  expect(totals.created).toBeLessThan(rows);
  expect(await deployment.stores.links.count('acme')).toBe(totals.created);
});
