import { domainCommands } from '../../../ops/command-line/commands/domain.ts';
import { readable } from '../../../ops/command-line/readable.ts';
import type { CallContext } from '../../../ops/console-server/call.ts';
import { hostCalls } from '../../../ops/console-server/calls/hosts.ts';
import { assignHost } from '../../../ops/hosts/assigned-hosts.ts';
import { assignDomain, listDomains, removeDomain } from '../../../ops/hosts/domains.ts';
import { deleteProject } from '../../../ops/projects/project-deletion.ts';
import { showProject } from '../../../ops/projects/projects.ts';
import { newFolder } from '../../support/folder.ts';
import { fileDeployment, projectIn } from '../../support/ops-deployment.ts';

const deployment = fileDeployment();

const aHost = async () => {
  const project = await projectIn(deployment);
  return { project, host: `go.${project}.example` };
};

const root = 'https://acme.example.com/';
const notFound = 'https://acme.example.com/help';

test('are shown, kept, and cleared individually', async () => {
  const { project, host } = await aHost();
  expect(await assignDomain(deployment, host, { project })).toEqual({ host, project });
  const both = { host, project, root, notFound };
  expect(await assignDomain(deployment, host, { project, root, notFound })).toEqual(both);
  expect(await assignDomain(deployment, host, { project })).toEqual(both);
  expect(await listDomains(deployment)).toContainEqual({ ...both, primary: true });
  expect(await assignDomain(deployment, host, { project, root: '' })).toEqual({ host, project, notFound });
  expect(await assignDomain(deployment, host, { project, notFound: '' })).toEqual({ host, project });
});

test.each([
  ['acme.example.com', 'must be an absolute http or https URL'],
  ['https://go.example/demo/launch', 'own short host'],
  ['https://www.evil.example.com/', 'must not point to a host that the operator of this service has blocked'],
])('are checked like destinations: %.50s', async (address, reason) => {
  const { project, host } = await aHost();
  await deployment.stores.destinations.block('evil.example.com', new Date());
  for (const [option, given] of [
    ['--root', { root: address }],
    ['--not-found', { notFound: address }],
  ] as const) {
    const failure = await assignDomain(deployment, host, { project, ...given }).catch(String);
    expect(failure).toContain(`${option} `);
    expect(failure).toContain(reason);
  }
  expect(await deployment.stores.domains.find(host)).toBeUndefined();
});

test("cannot be on the host itself or on another project's host", async () => {
  const mine = await aHost();
  const other = await aHost();
  await assignDomain(deployment, other.host, { project: other.project });
  for (const host of [mine.host, other.host]) {
    const assigned = assignDomain(deployment, mine.host, { project: mine.project, root: `https://${host}/` });
    await expect(assigned).rejects.toThrow('own short host');
  }
});

test('are refused for the shared host', async () => {
  const { project } = await aHost();
  await expect(assignDomain(deployment, 'go.example', { project, root })).rejects.toThrow(
    'go.example is the host of all projects',
  );
  expect(await assignDomain(deployment, 'go.example', { project, root: '' })).toEqual({
    host: 'go.example',
    project,
  });
});

test('end with their project', async () => {
  const [gone, other] = [await aHost(), await aHost()];
  for (const { host, project } of [gone, other])
    await assignDomain(deployment, host, { project, root, notFound });
  await deleteProject(deployment, gone.project, () => undefined);
  expect(await deployment.stores.domains.find(gone.host)).toEqual(gone);
  expect(await deployment.stores.domains.find(other.host)).toEqual({ ...other, root, notFound });
});

/** Hosts are tenants of a distribution, as the local stack plays it. */
const withTenants = () => {
  const localData = newFolder();
  const tenants = { distributionId: 'E1', connectionGroupId: 'cg_1', target: 'd1.cloudfront.net', localData };
  // Nothing serves the hosts' files there.
  return { ...deployment, shortBase: 'http://127.0.0.1:1', hosts: { aliases: [], tenants } };
};

test.each([false, true])('advice is printed once (--json: %s)', async (isJson) => {
  const { project, host } = await aHost();
  const says = `${host} is served; name it in the Host header of a request to the short URLs' port`;
  const lines: string[] = [];
  const command = domainCommands.find(({ name }) => name === 'domain assign');
  const context = {
    deployment: async () => withTenants(),
    isJson,
    progress: (line: string) => lines.push(line),
  };
  const result = await command?.run({ host, project }, context as never);
  expect(result).toMatchObject({ host, says });
  expect([...lines, ...(isJson ? [] : [readable(result as object)])].join().split(says)).toHaveLength(2);
});

test("the console's check of a host begins with CloudFront's state", async () => {
  const { project, host } = await aHost();
  // The check uses nothing else.
  const context = { deployment: withTenants() } as unknown as CallContext;
  const first = async (text = host) => (await hostCalls.checkHost.run({ host: text }, context))[0];
  await assignDomain(deployment, host, { project });
  expect(await first()).toMatchObject({ name: 'CloudFront', result: 'bad' });
  await assignHost(context.deployment, host, { project });
  expect(await first()).toMatchObject({ name: 'CloudFront', result: 'good' });
  // Only the stored host is requested, not the text.
  expect(await first(`https://${host}.`)).toMatchObject({ name: 'CloudFront', result: 'good' });
});

test('short URLs begin with the primary host, which only a choice changes, and which goes last', async () => {
  const { project, host: first } = await aHost();
  const second = `second.${first}`;
  const shown = async () => (await showProject(deployment, project)).shortBase;
  const listed = async () =>
    (await listDomains(deployment)).flatMap((one) =>
      one.project === project ? [[one.host, one.primary]] : [],
    );
  await assignDomain(deployment, first, { project });
  await assignDomain(deployment, second, { project, root });
  await assignDomain(deployment, second, { project, root: '' });
  expect(await shown()).toBe(`https://${first}`);
  expect(Object.fromEntries(await listed())).toEqual({ [first]: true, [second]: false });
  await assignDomain(deployment, second, { project, primary: true });
  await assignDomain(deployment, first, { project, root });
  expect(await shown()).toBe(`https://${second}`);
  expect(Object.fromEntries(await listed())).toEqual({ [first]: false, [second]: true });
  await expect(removeDomain(deployment, second)).rejects.toThrow(
    `${second} is the primary host of ${project}: first choose another one, such as 'domain assign ${first} --project ${project} --primary'`,
  );
  await removeDomain(deployment, first);
  await removeDomain(deployment, second);
  expect(await shown()).toBe(`https://go.example/${project}`);
});
