import { assignDomain, removeDomain } from '../../../ops/hosts/domains.ts';
import { blockDestination, listDestinations, unblockDestination } from '../../../ops/takedowns/takedowns.ts';
import { fileDeployment, projectIn } from '../../support/ops-deployment.ts';

const deployment = fileDeployment();

const blocked = async (host: string, link: string) => {
  await blockDestination(deployment, host);
  const [fault] = await deployment.stores.destinations.faults({ link }, []);
  return fault?.message;
};

test.each([
  ['Evil.example.', 'https://deep.evil.example/x'],
  ['bücher.example', 'https://xn--bcher-kva.example/'],
  ['_dmarc.evil2.example', 'https://_dmarc.evil2.example/'],
  ['198.18.0.1', 'http://198.18.0.1/'],
  ['2606:4700::1111', 'http://[2606:4700::1111]/x'],
  ['[2606:4700:0::1112]', 'http://[2606:4700::1112]:8080/x'],
])('%s is blocked as addresses name it', async (host, link) => {
  expect(await blocked(host, link)).toBeDefined();
});

test.each([
  '*.wild.example',
  '.evil.example',
  'evil..example',
  'evil.example,foo.example',
  '"evil.example"',
  'evil.example:8080',
  'https://evil.example',
  'evil.example/path',
  'evil.example?x',
  'com',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(200)}example`,
  '',
])('%j is no host that can be blocked', async (text) => {
  const refusal = /^'.{0,61}' can't be blocked: name /;
  await expect(blockDestination(deployment, text)).rejects.toThrow(refusal);
});

test('subdomains are blocked with their domain, as the error about a wildcard says', async () => {
  await expect(blockDestination(deployment, '*.wild.example')).rejects.toThrow("name 'wild.example', which");
});

test.each(['go.acme.example:443', 'go.acme.example:0080', 'go.acme.example:0', 'go.acme.example:65536'])(
  'the host %s of a project is refused for its port',
  async (host) => {
    const project = await projectIn(deployment);
    await expect(assignDomain(deployment, host, { project })).rejects.toThrow(
      /leave it out|can't be a host name/,
    );
  },
);

test('hosts that could be blocked or assigned before can still be unblocked and removed', async () => {
  const old = '*.old.example';
  await deployment.stores.destinations.block(old, new Date());
  expect(await unblockDestination(deployment, old)).toEqual({ host: old });
  expect((await listDestinations(deployment)).map(({ host }) => host)).not.toContain(old);

  const project = await projectIn(deployment);
  const host = `go.${project}.example:443`;
  await deployment.stores.domains.assign({ host, project });
  expect(await removeDomain(deployment, host)).toMatchObject({ host, project });
});
