import { removableHost } from '../../core/hosts/assign-host.ts';
import type { CustomHost, HostDraft } from '../../core/hosts/domain-store.ts';
import { OperatorError, refusing } from '../base/operator-error.ts';
import type { DeploymentAccess, TenantDistribution } from '../deployment/deployment.ts';
import { assignDomain, type ListedDomain, listDomains, removeDomain } from './domains.ts';
import { hostWarnings } from './host-status.ts';
import type { HostState, HostTenants, TenantChoices } from './tenants.ts';

/** A host of a project, with its state at CloudFront if the deployment uses that. */
export interface AssignedHost extends CustomHost, Partial<HostState> {}

/** Assigns a host to a project and to CloudFront, as far as possible without a deployment. */
export const assignHost = async (
  deployment: DeploymentAccess,
  text: string,
  { selfHosted, ...draft }: TenantChoices & Omit<HostDraft, 'host' | 'shared'>,
): Promise<AssignedHost> => {
  const domain = await assignDomain(deployment, text, draft);
  const { host } = domain;
  const state = await stateOf(deployment, host, (tenants) => tenants.ensure(host, { selfHosted }));
  return { ...domain, ...state };
};

/** CloudFront's state of a host; undefined if the host needs no more steps. Changes nothing. */
export const lookAtHost = (deployment: DeploymentAccess, host: string): Promise<HostState | undefined> =>
  stateOf(deployment, host, (tenants) => tenants.look(host));

const stateOf = async (
  deployment: DeploymentAccess,
  host: string,
  ofTenant: (tenants: HostTenants) => Promise<HostState>,
): Promise<HostState | undefined> => {
  const { hosts } = deployment;
  if (!hosts || isShared(deployment, host)) return undefined;
  if (hosts.tenants && isTenant(deployment, host)) return ofTenant(await tenantsOf(hosts.tenants));
  const warnings = await hostWarnings(host, hosts);
  return warnings.length > 0 ? { status: 'pending', says: warnings.join('; ') } : undefined;
};

const tenantsOf = async (where: TenantDistribution): Promise<HostTenants> =>
  where.localData === undefined
    ? (await import('./tenants.ts')).openTenants(where)
    : (await import('./local-tenants.ts')).localTenants(where.localData, where.distributionId);

const isShared = ({ shortBase }: DeploymentAccess, host: string): boolean => host === new URL(shortBase).host;

const isTenant = (deployment: DeploymentAccess, host: string): boolean =>
  !isShared(deployment, host) && !deployment.hosts?.aliases.includes(host);

/** All hosts with their projects, and CloudFront's state of those that are tenants. */
export const listHosts = async (deployment: DeploymentAccess): Promise<(AssignedHost & ListedDomain)[]> => {
  const domains = await listDomains(deployment);
  const { hosts } = deployment;
  if (!hosts?.tenants) return domains;
  const known = await tenantsOf(hosts.tenants);
  const listed: (AssignedHost & ListedDomain)[] = [];
  for (const domain of domains)
    listed.push({ ...domain, ...(isTenant(deployment, domain.host) && (await known.look(domain.host))) });
  return listed;
};

/** Removes a host from its project, and its tenant from CloudFront. Throws OperatorError while that is in progress. */
export const removeHost = async (deployment: DeploymentAccess, text: string): Promise<AssignedHost> => {
  const { host } = await refusing(() => removableHost(text, deployment.stores));
  const { hosts } = deployment;
  if (hosts?.tenants && isTenant(deployment, host)) {
    // The host stays in the table until then, so that the same command finds it again.
    if (!(await (await tenantsOf(hosts.tenants)).remove(host))) {
      throw new OperatorError(
        `${host} is switched off; CloudFront takes some minutes before it can be removed: run this again then`,
      );
    }
  }
  return removeDomain(deployment, host);
};
