import { isIPv6 } from 'node:net';
import type { CustomHost, HostDraft } from '../../core/hosts/domain-store.ts';
import { serviceHosts } from '../../core/projects/project.ts';
import { OperatorError, UsageError } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findProject } from '../projects/projects.ts';
import { hostIn, hostPattern } from './host-name.ts';

/**
 * Assigns a host to a project. Its short URLs begin with its primary host, the first one until another one is assigned as
 * `primary`. An omitted address stays; an empty one is cleared. Throws OperatorError if the project is missing, the text isn't a host name or is an IP address, an address
 * can't be a link's destination, or the host belongs to another project.
 */
export const assignDomain = async (
  deployment: Deployment,
  text: string,
  { project, root, notFound, primary }: Omit<HostDraft, 'host' | 'shared'>,
): Promise<CustomHost> => {
  const { stores, shortBase } = deployment;
  refuseAddress(text, new URL(shortBase).host);
  const host = readHost(text);
  refusePort(host);
  await findProject(deployment, project);
  const shared = host === new URL(shortBase).host;
  const addresses = { '--root': root, '--not-found': notFound };
  if (shared && (root || notFound))
    throw new OperatorError(
      `${host} is the host of all projects: ${Object.keys(addresses).join(' and ')} need a host of one`,
    );
  await checkAddresses(deployment, host, addresses);
  const draft = { host, project, root, notFound, primary, ...(shared && { shared }) };
  const isAssigned = await stores.domains.assign(draft);
  const stored = await stores.domains.find(host);
  if (isAssigned) return stored ?? { host, project };
  throw new OperatorError(
    `The host ${host} belongs to the project ${stored?.project}: remove it there first`,
  );
};

type Addresses = Readonly<Record<string, string | undefined>>;

/** Checks addresses by the rules for links. A host that isn't assigned yet must not lead to itself either. */
const checkAddresses = async ({ stores, shortBase }: Deployment, host: string, addresses: Addresses) => {
  for (const [option, address] of Object.entries(addresses)) {
    if (!address) continue;
    // Loaded only when needed: schemas take half the time of a command.
    const { webAddress } = await import('../../core/destinations/web-address-schema.ts');
    const fault = webAddress.safeParse(address).error?.issues[0];
    if (fault) throw new UsageError(`${option} ${fault.message}`);
  }
  const [fault] = await stores.destinations.faults(addresses, [...serviceHosts(shortBase), host]);
  if (fault) throw new OperatorError(`${fault.field} ${fault.message}`);
};

export type ListedDomain = CustomHost & { readonly primary: boolean };

/** All hosts with their projects, and whether the project's short URLs begin with them. */
export const listDomains = async ({ stores }: Deployment): Promise<ListedDomain[]> => {
  const [domains, projects] = await Promise.all([stores.domains.list(), stores.projects.list()]);
  const primary = new Map(projects.map(({ id, host }) => [id, host]));
  return domains.map((domain) => ({ ...domain, primary: primary.get(domain.project) === domain.host }));
};

/** The host of a project. Throws OperatorError if it has none. */
export const findDomain = async ({ stores }: Deployment, text: string): Promise<CustomHost> => {
  const host = readHost(text);
  const domain = await stores.domains.find(host);
  if (!domain) throw new OperatorError(`The host ${host} belongs to no project`);
  return domain;
};

/**
 * A host that may be removed. Throws OperatorError if it has no project, or is the primary host of one that has others:
 * its removal would change short URLs.
 */
export const removableDomain = async (deployment: Deployment, text: string): Promise<CustomHost> => {
  const domain = await findDomain(deployment, text);
  const { host, project } = domain;
  const { stores } = deployment;
  if ((await stores.projects.find(project))?.host !== host) return domain;
  const other = (await stores.domains.list()).find((one) => one.project === project && one.host !== host);
  if (!other) return domain;
  throw new OperatorError(
    `${host} is the primary host of ${project}: first choose another one, such as 'domain assign ${other.host} --project ${project} --primary'`,
  );
};

/** Removes a host from its project. Throws as `removableDomain`. */
export const removeDomain = async (deployment: Deployment, text: string): Promise<CustomHost> => {
  const domain = await removableDomain(deployment, text);
  if (!(await deployment.stores.domains.remove(domain))) {
    throw new OperatorError(`The host ${domain.host} belongs to no project`);
  }
  return domain;
};

/** Refuses a port for new hosts; earlier ones can still be found and removed. */
const refusePort = (host: string): void => {
  const [, port] = /:(\d+)$/.exec(host) ?? [];
  if (port === undefined) return;
  if ([80, 443].includes(Number(port)))
    throw new UsageError(`The host '${host}' has a default port: leave it out`);
  if (Number(port) < 1 || Number(port) > 65_535)
    throw new UsageError(`'${host}' can't be a host name: a port is a number from 1 to 65535`);
};

const readHost = (text: string): string => {
  const host = hostIn(text);
  if (!hostPattern.test(host)) {
    throw new UsageError(`'${text}' can't be a host name: give one such as go.example.com`);
  }
  return host;
};

/** Matches hosts that end in a number, which browsers parse as IPv4 addresses. */
const ipv4 = /(^|\.)(\d+|0x[\da-f]*)(:\d+)?$/;

/** Refuses addresses, because CloudFront accepts only names. The shared host may be one, as on the local stack. */
const refuseAddress = (text: string, sharedHost: string): void => {
  const host = hostIn(text);
  if (host === sharedHost) return;
  if (ipv4.test(host) || isIPv6(host.replace(/^\[(.*)\](:\d+)?$/, '$1')))
    throw new UsageError(`'${text}' is an IP address: assign a host name such as go.example.com`);
};
