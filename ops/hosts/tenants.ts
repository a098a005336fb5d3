import type {
  CloudFrontClient,
  CreateDistributionTenantCommandInput,
  DistributionTenant,
  ManagedCertificateDetails,
} from '@aws-sdk/client-cloudfront';
import { OperatorError } from '../base/operator-error.ts';
import type { TenantDistribution } from '../deployment/deployment.ts';

/** CloudFront's state of a host. */
export interface HostState {
  /** `active`: visitors are served. `pending`: a step or a wait remains. */
  readonly status: 'active' | 'pending' | 'failed' | 'missing';
  /** The operator's next step, or the obstacle. */
  readonly says: string;
}

export interface TenantChoices {
  /** Whether the host's present server validates the certificate, so that visitors notice nothing until DNS changes. */
  readonly selfHosted?: boolean;
}

interface Known {
  readonly tenant: DistributionTenant;
  readonly etag: string | undefined;
}

const sdk = () => import('@aws-sdk/client-cloudfront');

const isNamed = (error: unknown, ...names: string[]): boolean =>
  error instanceof Error && names.includes(error.name);

/** Hosts of projects as CloudFront's tenants. Every call can be repeated, also after an interruption. */
export interface HostTenants {
  /** Creates a host's tenant if missing, attaches its certificate once issued, and returns its state. */
  ensure(host: string, choices?: TenantChoices): Promise<HostState>;
  /** The state of a host; changes nothing. */
  look(host: string): Promise<HostState>;
  /** Removes a host's tenant; true once it is deleted. CloudFront first disables it everywhere, which takes minutes. */
  remove(host: string): Promise<boolean>;
}

export const openTenants = async (where: TenantDistribution): Promise<HostTenants> => {
  const { CloudFrontClient } = await sdk();
  // CloudFront is one service for all regions, signed for this one.
  return tenants(new CloudFrontClient({ region: 'us-east-1' }), where);
};

export const tenants = (client: CloudFrontClient, where: TenantDistribution): HostTenants => ({
  async ensure(host, choices = {}) {
    const known = (await find(client, host)) ?? (await create(client, where, { host, ...choices }));
    refuseForeign(known, where, host);
    const on = known.tenant.Enabled === false ? await update(client, known, { Enabled: true }) : known;
    return attachCertificate(client, where, on);
  },

  async look(host) {
    const known = await find(client, host);
    if (!known) return { status: 'missing', says: `CloudFront has no tenant for ${host}: assign it again` };
    refuseForeign(known, where, host);
    return stateOf(known, await certificateOf(client, known), where, host);
  },

  async remove(host) {
    const known = await find(client, host);
    if (!known) return true;
    refuseForeign(known, where, host);
    const off = known.tenant.Enabled === false ? known : await update(client, known, { Enabled: false });
    const { DeleteDistributionTenantCommand } = await sdk();
    try {
      await client.send(new DeleteDistributionTenantCommand({ Id: off.tenant.Id, IfMatch: off.etag }));
      return true;
    } catch (error) {
      if (isNamed(error, 'EntityNotFound')) return true;
      if (isNamed(error, 'ResourceNotDisabled', 'PreconditionFailed')) return false;
      throw readable(error, host);
    }
  },
});

const find = async (client: CloudFrontClient, host: string): Promise<Known | undefined> => {
  const { GetDistributionTenantByDomainCommand } = await sdk();
  try {
    const { DistributionTenant: tenant, ETag } = await client.send(
      new GetDistributionTenantByDomainCommand({ Domain: host }),
    );
    return tenant && { tenant, etag: ETag };
  } catch (error) {
    if (isNamed(error, 'EntityNotFound')) return undefined;
    throw readable(error, host);
  }
};

const create = async (
  client: CloudFrontClient,
  { distributionId, connectionGroupId }: TenantDistribution,
  { host, selfHosted }: TenantChoices & { readonly host: string },
): Promise<Known> => {
  const { CreateDistributionTenantCommand } = await sdk();
  const input: CreateDistributionTenantCommandInput = {
    DistributionId: distributionId,
    ConnectionGroupId: connectionGroupId,
    Name: host,
    Domains: [{ Domain: host }],
    Enabled: true,
    ManagedCertificateRequest: {
      PrimaryDomainName: host,
      ValidationTokenHost: selfHosted ? 'self-hosted' : 'cloudfront',
    },
  };
  try {
    const { DistributionTenant: tenant, ETag } = await client.send(
      new CreateDistributionTenantCommand(input),
    );
    if (!tenant) throw new OperatorError(`CloudFront created no tenant for ${host}: try again`);
    return { tenant, etag: ETag };
  } catch (error) {
    // A concurrent call has made it, or an earlier attempt whose response was lost.
    const made = isNamed(error, 'EntityAlreadyExists', 'CNAMEAlreadyExists') && (await find(client, host));
    if (made) return made;
    throw readable(error, host);
  }
};

const update = async (
  client: CloudFrontClient,
  { tenant, etag }: Known,
  change: Partial<Pick<DistributionTenant, 'Enabled' | 'Customizations'>>,
): Promise<Known> => {
  const { UpdateDistributionTenantCommand } = await sdk();
  const { Id, DistributionId, ConnectionGroupId, Customizations, Parameters, Enabled } = tenant;
  const Domains = (tenant.Domains ?? []).map(({ Domain }) => ({ Domain }));
  try {
    const { DistributionTenant: updated = tenant, ETag = etag } = await client.send(
      new UpdateDistributionTenantCommand({
        // An update clears omitted settings.
        ...{ Id, DistributionId, ConnectionGroupId, Domains, Customizations, Parameters, Enabled },
        ...change,
        IfMatch: etag,
      }),
    );
    return { tenant: updated, etag: ETag };
  } catch (error) {
    throw readable(error, Domains[0]?.Domain ?? 'the host');
  }
};

const certificateOf = async (client: CloudFrontClient, { tenant }: Known) => {
  const { GetManagedCertificateDetailsCommand } = await sdk();
  try {
    const answer = await client.send(new GetManagedCertificateDetailsCommand({ Identifier: tenant.Id }));
    return answer.ManagedCertificateDetails;
  } catch (error) {
    if (isNamed(error, 'EntityNotFound')) return undefined;
    throw readable(error, tenant.Name ?? 'the host');
  }
};

/** Attaches an issued certificate, which takes effect only once the tenant names it. */
const attachCertificate = async (client: CloudFrontClient, where: TenantDistribution, known: Known) => {
  const host = known.tenant.Domains?.[0]?.Domain ?? '';
  const certificate = await certificateOf(client, known);
  const arn = certificate?.CertificateStatus === 'issued' ? certificate.CertificateArn : undefined;
  if (arn === undefined || known.tenant.Customizations?.Certificate?.Arn === arn) {
    return stateOf(known, certificate, where, host);
  }
  const Customizations = { ...known.tenant.Customizations, Certificate: { Arn: arn } };
  return stateOf(await update(client, known, { Customizations }), certificate, where, host);
};

const stateOf = (
  { tenant }: Known,
  certificate: ManagedCertificateDetails | undefined,
  { target }: TenantDistribution,
  host: string,
): HostState => {
  if (tenant.Domains?.some(({ Domain, Status }) => Domain === host && Status === 'active')) {
    return { status: 'active', says: `${host} is served; its DNS record is CNAME ${target}` };
  }
  const record = `make the DNS record ${host} CNAME ${target}`;
  switch (certificate?.CertificateStatus) {
    case 'issued':
      return { status: 'pending', says: `the certificate is issued; ${record} if it isn't there yet` };
    case 'pending-validation':
    case undefined:
      return { status: 'pending', says: proof(certificate, record) };
    default:
      return {
        status: 'failed',
        says: `the certificate is ${certificate?.CertificateStatus}: ${record}, check that no CAA record of its domain excludes amazon.com, then remove the host and assign it again`,
      };
  }
};

const proof = (certificate: ManagedCertificateDetails | undefined, record: string): string => {
  const [token] = certificate?.ValidationTokenDetails ?? [];
  if (certificate?.ValidationTokenHost === 'self-hosted' && token?.RedirectFrom && token.RedirectTo) {
    return `the certificate needs a redirect on the present server from ${token.RedirectFrom} to ${token.RedirectTo}; once it is issued, ${record}`;
  }
  return `${record}; the certificate follows within minutes of it, then run this again`;
};

const refuseForeign = ({ tenant }: Known, where: TenantDistribution, host: string): void => {
  if (tenant.DistributionId === where.distributionId) return;
  throw new OperatorError(
    `${host} is a tenant of the distribution ${tenant.DistributionId}, not of this deployment's: remove it there first`,
  );
};

const readable = (error: unknown, host: string): Error => {
  if (error instanceof OperatorError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const advice: Readonly<Record<string, string>> = {
    CNAMEAlreadyExists: `another CloudFront distribution has ${host}: remove it there, or let AWS Support move it`,
    EntityLimitExceeded: 'the account has as many tenants as its quota allows: raise it in Service Quotas',
    AccessDenied: 'your credentials lack the rights on CloudFront tenants (cloudfront:*DistributionTenant*)',
    InvalidIfMatchVersion: 'somebody has changed the tenant meanwhile: run this again',
    PreconditionFailed: 'somebody has changed the tenant meanwhile: run this again',
  };
  return new OperatorError(`CloudFront refused ${host}: ${advice[name] ?? message}`);
};
