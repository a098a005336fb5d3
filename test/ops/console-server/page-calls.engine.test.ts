import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { transferCalls } from '../../../ops/console-server/calls/transfer.ts';
import { startConsole } from '../../../ops/console-server/server.ts';
import { createKey } from '../../../ops/projects/keys.ts';
import { createProject } from '../../../ops/projects/projects.ts';
import { unique } from '../../support/builders.ts';
import { ofFile } from '../../support/of-file.ts';
import { projectIn, startDeployment, storeLink } from '../../support/ops-deployment.ts';

const calls = { wake: async () => undefined, secret: async () => 'of the deployment' };
const webhooks = { queueUrl: '', ...calls, eventBuses: [], isLocal: false };
const deployment = ofFile(async () => ({ ...(await startDeployment()), webhooks }));
const running = ofFile(() =>
  startConsole({ deployment, name: 'A stack', flags: '', portOption: '--port', port: 0 }),
);

/** Makes a call as the page does. */
const call = async (name: string, input: object, signal?: AbortSignal): Promise<Response> => {
  const opened = await fetch(running.address, { redirect: 'manual' });
  const { origin, hash } = new URL(opened.headers.get('location') ?? '', running.address);
  const headers = {
    Origin: origin,
    Cookie: opened.headers.get('set-cookie')?.split(';')[0] ?? '',
    'X-Console-Key': hash.slice(1),
    'Content-Type': 'application/json',
  };
  const init = { method: 'POST', headers, body: JSON.stringify(input), signal: signal ?? null };
  return fetch(`${origin}/api/${name}`, init);
};

/** The last line of a response. */
const respond = async (name: string, input: object): Promise<string> =>
  (await (await call(name, input)).text()).trim().split('\n').at(-1) ?? '';

const turned = 'photo \u202egnp.exe';
const marks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

test('no stored text is shown turned around; a file has them as they are stored', async () => {
  const project = unique('shop');
  await createProject(deployment, { id: project, name: turned });
  await createKey(deployment, { project, user: turned });
  await storeLink(deployment, { project, code: 'photo', name: turned, createdBy: turned });
  for (const [name, input] of [
    ['projects', {}],
    ['project', { project }],
    ['keys', { project }],
    ['link', { project, code: 'photo' }],
    ['links', { project }],
    ['links', { project, q: 'photo gnp' }],
    ['project', { project: turned }],
  ] as const) {
    const text = await respond(name, input);
    expect(text).toContain('photo gnp.exe');
    expect(text).not.toMatch(marks);
  }
  expect(await respond('exportLinks', { project, format: 'ndjson' })).toContain(turned);
});

test('a secret is in the response that creates or replaces it, in no other, and not in the table', async () => {
  const project = await projectIn(deployment);
  const hook = { url: 'https://hooks.example.com/', events: ['link.created'], name: '' };
  const key = JSON.parse(await respond('createKey', { project, scopes: ['links:read'] })).data;
  const made = JSON.parse(await respond('createWebhook', { project, ...hook })).data;
  const place = { project, id: made.id };
  const replaced = JSON.parse(await respond('rotateWebhook', place)).data;
  const secrets: string[] = [key.apiKey, made.secret, replaced.secret];
  expect(new Set(secrets.map((one) => one.slice(0, 4)))).toEqual(new Set(['dls_', 'whse']));
  const { Items } = await deployment.db.client.send(new ScanCommand({ TableName: deployment.tableName }));
  const others = [
    ['keys', { project }],
    ['requests', { project }],
    ['project', { project }],
    ['projects', {}],
    ['webhooks', { project }],
    ['webhook', place],
    ['updateWebhook', { ...place, name: 'Hook' }],
    ['setWebhookStatus', { ...place, isActive: false }],
    ['deliveries', { ...place, status: '', limit: 10 }],
    ['revokeKey', { keyId: key.keyId }],
    ['deleteWebhook', place],
  ] as const;
  const texts = [JSON.stringify(Items)];
  for (const [name, input] of others) {
    const text = await respond(name, input);
    expect([name, JSON.parse(text)]).toEqual([name, { data: expect.anything() }]);
    texts.push(text);
  }
  for (const secret of secrets) expect(texts.filter((text) => text.includes(secret))).toEqual([]);
});

test('an import ends soon after its page is closed', async () => {
  const run = jest.spyOn(transferCalls.importLinks, 'run');
  const project = await projectIn(deployment);
  const rows = Array.from({ length: 3000 }, (_, i) =>
    JSON.stringify({ code: `link-${i}`, payload: { link: 'https://example.com/' } }),
  );
  const file = Buffer.from(rows.join('\n')).toString('base64');
  const leaving = new AbortController();
  const input = { project, name: 'links.ndjson', dryRun: false, file };
  // The answer begins with the first progress.
  expect((await call('importLinks', input, leaving.signal)).status).toBe(200);
  leaving.abort();
  const { totals } = (await run.mock.results[0]?.value) ?? {};
  expect(totals.created).toBeGreaterThan(0);
  expect(totals.created).toBeLessThan(rows.length);
  expect(await deployment.stores.links.count(project)).toBe(totals.created);
});
