import { PNG } from 'pngjs';
import decodeQR from 'qr/decode.js';
import { userAgents } from '../../ops/base/user-agents.ts';
import { localDeployment } from '../../ops/deployment/deployment.ts';
import { hostChecks } from '../../ops/smoke/host-checks.ts';
import { runChecks } from '../../ops/smoke/run.ts';
import { openSession } from '../../ops/smoke/session.ts';
import { unique } from '../support/builders.ts';
import { newFolder } from '../support/folder.ts';
import { contextFlags, extendedContext, type RunningStack, startLocalStack } from '../support/local-stack.ts';
import { describeAtNight } from '../support/nightly.ts';
import { sendRaw } from '../support/raw-request.ts';
import { extendedStack } from '../support/stack-fixtures.ts';

/** Custom hosts as tenants of a template distribution, as with `ownHosts=tenants`. */
interface Tenant {
  readonly project: string;
  readonly host: string;
  readonly code: string;
  readonly destination: string;
  readonly app: string;
}

const extended = extendedStack();
let stack: RunningStack = extended;
const tenants: Tenant[] = [];

beforeAll(() => makeTenants());
const makeTenants = async () => {
  for (let number = 1; number <= 3; number += 1) tenants.push(await newTenant(number));
};

const newTenant = async (number: number): Promise<Tenant> => {
  const project = unique('tenant');
  const host = `go.${project}.test`;
  const destination = `https://example.com/of/${number}`;
  const app = `com.acme.number${number}`;
  await stack.admin('project', 'create', project);
  const assigned = await stack.admin('domain', 'assign', host, '--project', project);
  expect(assigned).toMatchObject({ host, project, status: 'active' });
  const fingerprint = Array(32).fill(`0${number}`).join(':');
  const android = ['--android', app, '--sha256', fingerprint];
  await stack.admin('association', 'set', '--project', project, '--ios', `ABCDE12345.${app}`, ...android);
  const { apiKey } = await stack.admin('key', 'create', '--project', project);
  const code = `launch-${number}`;
  const { body } = await stack.api('POST', '/links', {
    key: apiKey,
    body: { code, payload: { link: destination } },
  });
  expect(body.data.shortUrl).toBe(`https://${host}/${code}`);
  return { project, host, code, destination, app };
};

const visit = (host: string | undefined, where: string) =>
  sendRaw(stack.facts.shortAddress + where, {
    headers: { 'user-agent': userAgents.desktop, ...(host !== undefined && { host }) },
  });

const hostsIn = async (file: string, host: string | undefined) =>
  JSON.parse((await visit(host, `/.well-known/${file}`)).body.toString());

test('each of three hosts redirects to the destinations of its project', async () => {
  for (const { host, code, destination, project } of tenants) {
    const visited = await visit(host, `/${code}`);
    expect([visited.status, visited.headers.location]).toEqual([302, destination]);
    // The shared host stays on the ordinary distribution.
    expect((await visit(undefined, `/${project}/${code}`)).status).toBe(302);
    expect((await visit(undefined, `/${code}`)).status).toBe(404);
  }
});

test("no host serves another project's links", async () => {
  for (const { host } of tenants) {
    const others = tenants.filter((other) => other.host !== host);
    const paths = others.flatMap(({ project, code }) => [`/${code}`, `/${project}/${code}`]);
    const statuses = await Promise.all(paths.map(async (path) => (await visit(host, path)).status));
    expect(statuses).toEqual(paths.map(() => 404));
  }
});

test("every host gets its own QR codes, even after another host's", async () => {
  for (const { host, code } of tenants) {
    const drawn = await visit(host, `/${code}/qr.png?size=200`);
    const { width, height, data: pixels } = PNG.sync.read(drawn.body);
    expect(decodeQR({ width, height, data: pixels })).toBe(`http://${host}/${code}?qr`);
    const foreign = tenants.find((other) => other.host !== host)?.host;
    expect((await visit(foreign, `/${code}/qr.png?size=200`)).status).toBe(404);
  }
});

test("apps of one project open no other project's links", async () => {
  for (const { host, app } of tenants) {
    const apple = await hostsIn('apple-app-site-association', host);
    expect(apple.applinks.details).toMatchObject([
      { appIDs: [`ABCDE12345.${app}`], components: expect.arrayContaining([{ '/': '/*' }]) },
    ]);
    const android = await hostsIn('assetlinks.json', host);
    expect(android.map(({ target }: { target: object }) => target)).toMatchObject([{ package_name: app }]);
  }
  const shared = await hostsIn('apple-app-site-association', undefined);
  for (const { project, app } of tenants) {
    const [own, ...more] = shared.applinks.details.filter(({ appIDs }: { appIDs: string[] }) =>
      appIDs.includes(`ABCDE12345.${app}`),
    );
    expect(more).toEqual([]);
    const opened = own.components.filter(({ exclude }: { exclude?: boolean }) => !exclude);
    expect(opened).toEqual([{ '/': `/${project}/*` }]);
  }
});

test('domain list shows which tenants are served; other hosts are refused', async () => {
  const listed = await stack.admin('domain', 'list');
  for (const { host, project } of tenants)
    expect(listed).toContainEqual(expect.objectContaining({ host, project, status: 'active' }));
  expect((await visit('unknown.acme.test', '/launch-1')).status).toBe(403);
  expect((await visit('..', '/launch-1')).status).toBe(403);
});

test('the smoke test assigns a host as an operator does, and visits every one of them', async () => {
  const session = await openSession(await localDeployment(stack.data), { pauseSeconds: 0 });
  const outcomes = await runChecks(hostChecks, session);
  expect(outcomes.map(({ result }) => result)).toEqual(['ok', 'ok', 'ok']);
  for (const { host } of tenants) expect(outcomes[1]?.detail).toContain(host);
});

describeAtNight('after a restart with a short domain', () => {
  const shared = 'go.example.test';

  const data = newFolder();
  beforeAll(async () => {
    tenants.length = 0;
    stack = await startLocalStack(data, ...contextFlags(extendedContext));
    await makeTenants();
    await stack.stop();
    const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555';
    const domain = { shortDomain: shared, shortCertificateArn: certificate };
    stack = await startLocalStack(data, ...contextFlags({ ...extendedContext, ...domain }));
  });
  afterAll(() => stack.stop());

  test('hosts are still tenants, and the short domain is the shared host', async () => {
    expect(stack.facts.shortBaseUrl).toBe(`https://${shared}`);
    const [{ project, host, code, destination }, other] = tenants as [Tenant, Tenant];
    for (const [at, where] of [
      [host, `/${code}`],
      [shared, `/${project}/${code}`],
    ] as const) {
      const visited = await visit(at, where);
      expect([at, visited.status, visited.headers.location]).toEqual([at, 302, destination]);
    }
    expect((await visit(shared, `/${code}`)).status).toBe(404);
    expect((await visit(host, `/${other.project}/${other.code}`)).status).toBe(404);
    expect((await visit('unknown.acme.test', `/${code}`)).status).toBe(403);
    const { applinks } = await hostsIn('apple-app-site-association', shared);
    expect(JSON.stringify(applinks)).toContain(`/${project}/*`);
  });

  test('a project without a host uses the short domain, which is not a tenant', async () => {
    const { shortBase } = await stack.admin('project', 'create', unique('bare'));
    expect(shortBase).toMatch(/^https:\/\/go\.example\.test\/bare/);
    const listed: { host: string; status?: string }[] = await stack.admin('domain', 'list');
    expect(listed.find((one) => one.host === shared)).not.toHaveProperty('status');
    expect(listed.find((one) => one.host === tenants[0]?.host)).toMatchObject({ status: 'active' });
  });

  test('a removed host is not a tenant until it is assigned again', async () => {
    const [removed, kept] = tenants as [Tenant, Tenant];
    expect((await visit(removed.host, `/${removed.code}`)).status).toBe(302);
    await stack.admin('domain', 'remove', removed.host);
    expect((await visit(removed.host, `/${removed.code}`)).status).toBe(403);
    expect((await visit(shared, `/${removed.project}/${removed.code}`)).status).toBe(302);
    expect((await visit(kept.host, `/${kept.code}`)).status).toBe(302);
    await stack.admin('domain', 'assign', removed.host, '--project', removed.project);
    expect((await visit(removed.host, `/${removed.code}`)).status).toBe(302);
  });
});
