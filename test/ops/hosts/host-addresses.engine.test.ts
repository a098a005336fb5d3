import { domainCommands } from '../../../ops/command-line/commands/domain.ts';
import { runAdmin } from '../../../ops/command-line/program.ts';
import { readable } from '../../../ops/command-line/readable.ts';
import type { CallContext } from '../../../ops/console/call.ts';
import { hostCalls } from '../../../ops/console/calls/hosts.ts';
import { assignDomain, listDomains } from '../../../ops/hosts/domains.ts';
import { deleteProject } from '../../../ops/projects/project-deletion.ts';
import { createProject } from '../../../ops/projects/projects.ts';
import { unique } from '../../support/builders.ts';
import { fileTarget } from '../../support/ops-target.ts';

const target = fileTarget();

const aHost = async () => {
  const project = unique('shop');
  await createProject(target, { id: project });
  return { project, host: `go.${project}.example` };
};

const root = 'https://acme.example.com/';
const notFound = 'https://acme.example.com/help';

test('are shown, kept, and cleared individually', async () => {
  const { project, host } = await aHost();
  expect(await assignDomain(target, host, { project })).toEqual({ host, project });
  const both = { host, project, root, notFound };
  expect(await assignDomain(target, host, { project, root, notFound })).toEqual(both);
  expect(await assignDomain(target, host, { project })).toEqual(both);
  expect(await listDomains(target)).toContainEqual(both);
  expect(await assignDomain(target, host, { project, root: '' })).toEqual({ host, project, notFound });
  expect(await assignDomain(target, host, { project, notFound: '' })).toEqual({ host, project });
});

test.each([
  ['acme.example.com', 'must be an absolute http or https URL'],
  ['javascript:alert(1)', 'must be an absolute http or https URL'],
  ['https://user:pass@acme.example.com/', 'must not contain a user name or password'],
  ['http://127.0.0.1/', 'must not point to a private, loopback or link-local host'],
  [`https://acme.example.com/${'a'.repeat(2048)}`, '2048'],
  ['https://go.example/demo/launch', 'own short host'],
  ['https://www.evil.example.com/', 'must not point to a host that the operator of this service has blocked'],
])('are checked like destinations: %.50s', async (address, reason) => {
  const { project, host } = await aHost();
  await target.stores.destinations.block('evil.example.com', new Date());
  for (const [option, given] of [
    ['--root', { root: address }],
    ['--not-found', { notFound: address }],
  ] as const) {
    const failure = await assignDomain(target, host, { project, ...given }).catch(String);
    expect(failure).toContain(`${option} `);
    expect(failure).toContain(reason);
  }
  expect(await target.stores.domains.find(host)).toBeUndefined();
});

test("cannot be on the host itself or on another project's host", async () => {
  const mine = await aHost();
  const other = await aHost();
  await assignDomain(target, other.host, { project: other.project });
  for (const host of [mine.host, other.host]) {
    const assigned = assignDomain(target, mine.host, { project: mine.project, root: `https://${host}/` });
    await expect(assigned).rejects.toThrow('own short host');
  }
});

test('are refused for the shared host', async () => {
  const { project } = await aHost();
  await expect(assignDomain(target, 'go.example', { project, root })).rejects.toThrow(
    'go.example is the host of all projects',
  );
  expect(await assignDomain(target, 'go.example', { project, root: '' })).toEqual({
    host: 'go.example',
    project,
  });
});

test('end with their project', async () => {
  const [gone, other] = [await aHost(), await aHost()];
  for (const { host, project } of [gone, other])
    await assignDomain(target, host, { project, root, notFound });
  await deleteProject(target, gone.project, () => undefined);
  expect(await target.stores.domains.find(gone.host)).toEqual(gone);
  expect(await target.stores.domains.find(other.host)).toEqual({ ...other, root, notFound });
});

test.each([false, true])('advice is printed once (--json: %s)', async (isJson) => {
  const { project, host } = await aHost();
  const says = `make the DNS record ${host} CNAME d1.cloudfront.net`;
  const ensure = async () => ({ status: 'pending', says });
  const hosts = { aliases: [], target: 'd1.cloudfront.net', tenants: async () => ({ ensure }) };
  const lines: string[] = [];
  const command = domainCommands.find(({ name }) => name === 'domain assign');
  const context = {
    target: async () => ({ ...target, hosts }),
    isJson,
    progress: (line: string) => lines.push(line),
  };
  const result = await command?.run({ host, project }, context as never);
  expect(result).toMatchObject({ host, says });
  expect([...lines, ...(isJson ? [] : [readable(result as object)])].join().split(says)).toHaveLength(2);
});

test.each(['pending', 'active'] as const)(
  "the console's check of a host begins with what CloudFront says: %s",
  async (status) => {
    const { project, host } = await aHost();
    await assignDomain(target, host, { project });
    const says = `make the DNS record ${host} CNAME d1.cloudfront.net`;
    const hosts = {
      aliases: [],
      target: 'd1.cloudfront.net',
      tenants: async () => ({ look: async () => ({ status, says }) }),
    };
    // Nothing serves the host's files there.
    const deployment = { ...target, shortBase: 'http://127.0.0.1:1', hosts };
    // The check looks at nothing else.
    const context = { target: deployment } as unknown as CallContext;
    const [first] = await hostCalls.checkHost.run({ host }, context);
    expect(first).toEqual({ name: 'CloudFront', result: status === 'active' ? 'good' : 'bad', detail: says });
  },
);

test('have options listed in help', async () => {
  const printed: string[] = [];
  const terminal = {
    print: (text: string) => void printed.push(text),
    write: async (text: string) => void printed.push(text),
    progress: () => undefined,
    input: async () => '',
  };
  await runAdmin(['domain', 'assign', '--help'], terminal);
  expect(printed.join('\n')).toContain('--root URL');
  expect(printed.join('\n')).toContain('--not-found URL');
});
