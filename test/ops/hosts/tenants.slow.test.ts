import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { hostWarnings } from '../../../ops/hosts/host-status.ts';
import { tenants } from '../../../ops/hosts/tenants.ts';
import { type AwsCall, type AwsResponse, eachAwsDouble } from '../../support/aws-double.ts';
import { faultsOfCall } from '../../support/cloudfront-model.ts';
import { faultsOf } from '../../support/service-spec.ts';

const where = { distributionId: 'E2TEMPLATE', connectionGroupId: 'cg_1', target: 'd1.cloudfront.net' };
const host = 'go.acme.com';
const root = '/2020-05-31/distribution-tenant';

/** CloudFront's tenant in a made-up account. */
interface Tenant {
  distribution: string;
  enabled: boolean;
  certificate: string;
  attached: boolean;
  isServed: boolean;
  tokenHost: string;
}

const aws = eachAwsDouble();
let client: CloudFrontClient;
let tenant: Tenant | undefined;
let certificateStatus: string;
let isDeployed: boolean;
/** The tenant's version; every change makes another. */
let version: number;

beforeEach(() => {
  client = new CloudFrontClient({ region: 'us-east-1', maxAttempts: 1 });
  tenant = undefined;
  certificateStatus = 'pending-validation';
  isDeployed = true;
  version = 1;
  aws.answers.set(`cloudfront:GET ${root}`, () => (tenant ? shown() : failure('EntityNotFound', 404)));
  aws.answers.set(`cloudfront:POST ${root}`, ({ body }) => {
    expect(faultsOfTenant(body)).toEqual([]);
    if (tenant) return failure('CNAMEAlreadyExists', 409);
    const of = (name: string) => textOf(body, name);
    tenant = {
      distribution: of('DistributionId'),
      enabled: of('Enabled') === 'true',
      certificate: '',
      attached: false,
      isServed: false,
      tokenHost: of('ValidationTokenHost'),
    };
    return { ...shown(), status: 201 };
  });
  aws.answers.set(`cloudfront:PUT ${root}/dt_1`, (call) => {
    const { body } = call;
    if (!isCurrent(call)) return failure('InvalidIfMatchVersion', 400);
    if (!tenant) return failure('EntityNotFound', 404);
    expect(body).toContain(`<Domain>${host}</Domain>`);
    version += 1;
    tenant.enabled = textOf(body, 'Enabled') === 'true';
    tenant.attached = /<Arn>arn:certificate<\/Arn>/.test(body);
    return shown();
  });
  aws.answers.set(`cloudfront:DELETE ${root}/dt_1`, (call) => {
    if (!isCurrent(call)) return failure('InvalidIfMatchVersion', 400);
    if (tenant?.enabled || !isDeployed) return failure('ResourceNotDisabled', 409);
    tenant = undefined;
    return { status: 204, body: '' };
  });
  aws.answers.set('cloudfront:GET /2020-05-31/managed-certificate/dt_1', () => ({
    body: `<ManagedCertificateDetails><CertificateArn>arn:certificate</CertificateArn>
      <CertificateStatus>${certificateStatus}</CertificateStatus>
      <ValidationTokenHost>${tenant?.tokenHost}</ValidationTokenHost><ValidationTokenDetails><member>
      <Domain>${host}</Domain><RedirectFrom>${host}/.well-known/pki-validation/x.txt</RedirectFrom>
      <RedirectTo>validation.example/x.txt</RedirectTo></member></ValidationTokenDetails></ManagedCertificateDetails>`,
  }));
});
afterEach(() => {
  client.destroy();
  // Checks every call of every test.
  expect(aws.calls.flatMap(faultsOfCall)).toEqual([]);
});

const textOf = (body: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1] ?? '';

/** CloudFront only accepts changes of the version that the caller has read. */
const isCurrent = ({ headers }: AwsCall) => headers['if-match'] === `E${version}`;

/** Checks a tenant by AWS's description of the CloudFormation resource. */
const faultsOfTenant = (body: string): string[] =>
  faultsOf('Tenant', 'AWS::CloudFront::DistributionTenant', {
    DistributionId: textOf(body, 'DistributionId'),
    ConnectionGroupId: textOf(body, 'ConnectionGroupId'),
    Name: textOf(body, 'Name'),
    Domains: [...body.matchAll(/<Domain>([^<]*)</g)].map(([, one]) => one),
    Enabled: textOf(body, 'Enabled') === 'true',
    ManagedCertificateRequest: {
      ValidationTokenHost: textOf(body, 'ValidationTokenHost'),
      PrimaryDomainName: textOf(body, 'PrimaryDomainName'),
    },
  }).concat(
    ['DistributionId', 'Name', 'ConnectionGroupId', 'ValidationTokenHost'].filter(
      (one) => textOf(body, one) === '',
    ),
  );

const shown = (): AwsResponse => ({
  headers: { etag: `E${version}` },
  body: `<DistributionTenant><Id>dt_1</Id><DistributionId>${tenant?.distribution}</DistributionId><Name>${host}</Name>
    <Domains><member><Domain>${host}</Domain><Status>${tenant?.isServed ? 'active' : 'inactive'}</Status></member></Domains>
    ${tenant?.attached ? '<Customizations><Certificate><Arn>arn:certificate</Arn></Certificate></Customizations>' : ''}
    <ConnectionGroupId>cg_1</ConnectionGroupId><Enabled>${tenant?.enabled}</Enabled></DistributionTenant>`,
});

const failure = (code: string, status: number): AwsResponse => ({
  status,
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${code}</Message></Error></ErrorResponse>`,
});

const operations = () => aws.calls.map(({ operation }) => operation.split(' ')[0]);

test('a host becomes a tenant, and the operator gets the DNS record to make', async () => {
  expect(await tenants(client, where).ensure(host)).toEqual({
    status: 'pending',
    says: 'make the DNS record go.acme.com CNAME d1.cloudfront.net; the certificate follows within minutes of it, then run this again',
  });
  expect(tenant).toMatchObject({ distribution: 'E2TEMPLATE', enabled: true, tokenHost: 'cloudfront' });
});

test('a repetition creates nothing twice, attaches the certificate once, and reports when visitors are served', async () => {
  const { ensure } = tenants(client, where);
  await ensure(host);
  certificateStatus = 'issued';
  expect((await ensure(host)).status).toBe('pending');
  expect(tenant?.attached).toBe(true);
  if (tenant) tenant.isServed = true;
  expect(await ensure(host)).toMatchObject({ status: 'active' });
  expect(operations().filter((one) => one === 'POST')).toHaveLength(1);
  expect(operations().filter((one) => one === 'PUT')).toHaveLength(1);
});

test('a certificate can be proven through the present server', async () => {
  const { says } = await tenants(client, where).ensure(host, { selfHosted: true });
  expect(says).toContain(`a redirect on the present server from ${host}/.well-known/pki-validation/x.txt to`);
});

test('a tenant whose creation lost its response is continued', async () => {
  const made = aws.answers.get(`cloudfront:POST ${root}`);
  let finds = 0;
  const find = aws.answers.get(`cloudfront:GET ${root}`);
  aws.answers.set(`cloudfront:GET ${root}`, (call) => {
    finds += 1;
    if (finds > 1) return find?.(call) as AwsResponse;
    return failure('EntityNotFound', 404);
  });
  aws.answers.set(`cloudfront:POST ${root}`, (call) => {
    made?.(call);
    return failure('EntityAlreadyExists', 409);
  });
  expect(await tenants(client, where).ensure(host)).toMatchObject({ status: 'pending' });
});

test('a failed certificate gives advice', async () => {
  certificateStatus = 'validation-timed-out';
  expect(await tenants(client, where).ensure(host)).toMatchObject({
    status: 'failed',
    says: expect.stringContaining('CAA record'),
  });
});

test.each([
  ['CNAMEAlreadyExists', 409, /another CloudFront distribution has go.acme.com/],
  ['EntityLimitExceeded', 400, /raise it in Service Quotas/],
  ['AccessDenied', 403, /your credentials lack the rights/],
])('a refusal as %s is one clear line', async (code, status, message) => {
  aws.answers.set(`cloudfront:POST ${root}`, () => failure(code, status));
  await expect(tenants(client, where).ensure(host)).rejects.toThrow(message);
});

test("another deployment's tenant is not touched", async () => {
  const { ensure, look, remove } = tenants(client, where);
  await ensure(host);
  if (tenant) tenant.distribution = 'E3OTHER';
  for (const act of [ensure, look, remove])
    await expect(act(host)).rejects.toThrow(/of the distribution E3OTHER/);
});

test('reading changes nothing, and finds no unknown host', async () => {
  expect(await tenants(client, where).look(host)).toMatchObject({ status: 'missing' });
  expect(operations()).toEqual(['GET']);
});

test('a removal disables first, continues where it stopped, and can be repeated', async () => {
  const { ensure, remove } = tenants(client, where);
  await ensure(host);
  isDeployed = false;
  expect(await remove(host)).toBe(false);
  expect(tenant?.enabled).toBe(false);
  isDeployed = true;
  expect(await remove(host)).toBe(true);
  expect(await remove(host)).toBe(true);
  expect(operations().filter((one) => one === 'PUT')).toHaveLength(1);
});

test('a host during its removal can be enabled again, and gets its certificate', async () => {
  const { ensure, remove } = tenants(client, where);
  await ensure(host);
  isDeployed = false;
  await remove(host);
  certificateStatus = 'issued';
  expect(await ensure(host)).toMatchObject({ status: 'pending' });
  expect(tenant).toMatchObject({ enabled: true, attached: true });
});

describe('a host by configuration', () => {
  const hosts = { aliases: [host], target: where.target };
  const lookup = (names: string[], addresses: Record<string, string[]> = {}) => ({
    names: async () => names,
    addresses: async (name: string) => addresses[name] ?? [],
  });

  test('gets a warning if CloudFront or DNS lacks it', async () => {
    expect(await hostWarnings('other.acme.com', hosts, lookup([]))).toEqual([
      expect.stringContaining('add it to shortAliases and deploy'),
    ]);
    expect(await hostWarnings(host, hosts, lookup(['old.example.net']))).toEqual([
      'go.acme.com does not lead here: make the DNS record go.acme.com CNAME d1.cloudfront.net',
    ]);
  });

  test('gets no warning if its DNS record points here by name or by alias', async () => {
    expect(await hostWarnings(host, hosts, lookup(['d1.cloudfront.net.']))).toEqual([]);
    const alias = lookup([], { [host]: ['192.0.2.1'], [where.target]: ['192.0.2.1', '192.0.2.2'] });
    expect(await hostWarnings(host, hosts, alias)).toEqual([]);
  });
});

describe("the double's model of the API", () => {
  const create = `POST ${root}`;
  const body = (members: string) =>
    `<?xml version="1.0"?><CreateDistributionTenantRequest xmlns="x">${members}</CreateDistributionTenantRequest>`;
  const good =
    '<DistributionId>E1</DistributionId><Name>n</Name><Domains><member><Domain>h</Domain></member></Domains>';
  const call = (operation: string, sent: Partial<AwsCall>): AwsCall => ({
    service: 'cloudfront',
    region: 'us-east-1',
    operation,
    path: operation.split(' ')[1] ?? '',
    headers: {},
    body: '',
    ...sent,
  });

  test.each([
    [call(create, { body: body(good) }), []],
    [call(create, { body: body('<Name>n</Name>') }), ['DistributionId is missing', 'Domains is missing']],
    [call(create, { body: body(`${good}<Alias>x</Alias>`) }), ['Alias is no member']],
    [call(create, { body: body(`${good}<Enabled>yes</Enabled>`) }), ['Enabled is no boolean: yes']],
    [call(create, { body: body(good.replace('<Domain>h</Domain>', '')) }), ['Domains[0].Domain is missing']],
    [call(`PUT ${root}/dt_1`, {}), ['IfMatch is missing']],
    [call(`GET ${root}`, {}), ['Domain is missing']],
    [call('GET /2020-05-31/nothing', {}), ['GET /2020-05-31/nothing is no operation']],
  ])('finds the faults of a call (%#)', (made, faults) => {
    expect(faultsOfCall(made).map((fault) => fault.replace(/^\w+Tenant\w*\./, ''))).toEqual(faults);
  });
});
