import { Failure, type Fault, refuseFaults } from '../base/failure.ts';
import type { LinkAddresses } from '../destinations/destination-store.ts';
import { serviceHosts } from '../projects/project.ts';
import type { projectStore } from '../projects/project-store.ts';
import type { CustomHost, domainStore, HostDraft } from './domain-store.ts';
import { requireHost, requireNewHost } from './host-name.ts';

export interface HostStores {
  readonly domains: ReturnType<typeof domainStore>;
  readonly projects: Pick<ReturnType<typeof projectStore>, 'find'>;
  readonly destinations: {
    readonly faults: (addresses: LinkAddresses, shortHosts: readonly string[]) => Promise<Fault[]>;
  };
}

/**
 * Assigns a host to a project that exists. Its short URLs begin with its primary host, the first one until another one is
 * assigned as `primary`. An omitted address stays; an empty one is cleared. Throws VALIDATION_ERROR if the text isn't a
 * host name or an address isn't one, and BAD_REQUEST if an address can't be a link's destination, or the host belongs to
 * another project.
 */
export const assignHost = async (
  text: string,
  { project, root, notFound, primary }: Omit<HostDraft, 'host' | 'shared'>,
  { stores, shortBase }: { readonly stores: HostStores; readonly shortBase: string },
): Promise<CustomHost> => {
  const sharedHost = new URL(shortBase).host;
  const host = requireNewHost(text, sharedHost);
  const shared = host === sharedHost;
  if (shared && (root || notFound))
    throw new Failure(
      'BAD_REQUEST',
      `${host} is the host of all projects, so it has no addresses of its own: use the project's own host for them`,
    );
  await requireAddresses({ root, notFound }, [...serviceHosts(shortBase), host], stores.destinations);
  const draft = { host, project, root, notFound, primary, ...(shared && { shared }) };
  const isAssigned = await stores.domains.assign(draft);
  const stored = await stores.domains.find(host);
  if (isAssigned) return stored ?? { host, project };
  throw new Failure(
    'BAD_REQUEST',
    `The host ${host} belongs to the project ${stored?.project}: remove it there first`,
  );
};

/** Checks addresses by the rules for links. A host that isn't assigned yet must not lead to itself either. */
const requireAddresses = async (
  addresses: LinkAddresses,
  shortHosts: readonly string[],
  destinations: HostStores['destinations'],
): Promise<void> => {
  for (const [field, address] of Object.entries(addresses)) {
    if (!address) continue;
    // Loaded only when needed: schemas take half the time of a command.
    const { webAddress } = await import('../destinations/web-address-schema.ts');
    const fault = webAddress.safeParse(address).error?.issues[0];
    if (fault) refuseFaults([{ field, message: fault.message }]);
  }
  refuseFaults((await destinations.faults(addresses, shortHosts)).slice(0, 1), 'BAD_REQUEST');
};

/**
 * A host that may be removed. Throws NOT_FOUND if it has no project, and BAD_REQUEST if it is the primary host of one
 * that has others: its removal would change short URLs.
 */
export const removableHost = async (
  text: string,
  { domains, projects }: Pick<HostStores, 'domains' | 'projects'>,
): Promise<CustomHost> => {
  const domain = await findHost(text, domains);
  const { host, project } = domain;
  if ((await projects.find(project))?.host !== host) return domain;
  const other = (await domains.list()).find((one) => one.project === project && one.host !== host);
  if (!other) return domain;
  throw new Failure(
    'BAD_REQUEST',
    `${host} is the primary host of ${project}: first choose another one, such as 'domain assign ${other.host} --project ${project} --primary'`,
  );
};

/** The host of a project. Throws VALIDATION_ERROR for a text that isn't a host name, and NOT_FOUND. */
export const findHost = async (
  text: string,
  domains: Pick<HostStores['domains'], 'find'>,
): Promise<CustomHost> => {
  const host = requireHost(text);
  const domain = await domains.find(host);
  if (!domain) throw new Failure('NOT_FOUND', `The host ${host} belongs to no project`);
  return domain;
};

/** Removes a host from its project. Throws like `removableHost`. */
export const removeHost = async (text: string, stores: Pick<HostStores, 'domains' | 'projects'>) => {
  const domain = await removableHost(text, stores);
  if (await stores.domains.remove(domain)) return domain;
  throw new Failure('NOT_FOUND', `The host ${domain.host} belongs to no project`);
};
