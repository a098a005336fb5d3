import { assignHost, findHost, removeHost } from '../../core/hosts/assign-host.ts';
import type { CustomHost, HostDraft } from '../../core/hosts/domain-store.ts';
import { requireNewHost } from '../../core/hosts/host-name.ts';
import { OperatorError, refusing } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findProject } from '../projects/projects.ts';

/** Assigns a host to a project, as core does. Messages name the options. Throws OperatorError, also for no such project. */
export const assignDomain = (
  deployment: Deployment,
  text: string,
  draft: Omit<HostDraft, 'host' | 'shared'>,
): Promise<CustomHost> =>
  refusing(async () => {
    requireNewHost(text, new URL(deployment.shortBase).host);
    await findProject(deployment, draft.project);
    return assignHost(text, draft, deployment);
  }).catch((error: unknown) => {
    if (!(error instanceof OperatorError) || error.faults.length === 0) throw error;
    const said = error.faults.map(({ field, message }) => `${optionOf[field] ?? field} ${message}`);
    throw new (error.constructor as typeof OperatorError)(said.join('; '), error.faults);
  });

const optionOf: Readonly<Record<string, string>> = { root: '--root', notFound: '--not-found' };

export type ListedDomain = CustomHost & { readonly primary: boolean };

/** All hosts with their projects, and whether the project's short URLs begin with them. */
export const listDomains = async ({ stores }: Deployment): Promise<ListedDomain[]> => {
  const [domains, projects] = await Promise.all([stores.domains.list(), stores.projects.list()]);
  const primary = new Map(projects.map(({ id, host }) => [id, host]));
  return domains.map((domain) => ({ ...domain, primary: primary.get(domain.project) === domain.host }));
};

/** The host of a project. Throws OperatorError if it has none. */
export const findDomain = ({ stores }: Deployment, text: string): Promise<CustomHost> =>
  refusing(() => findHost(text, stores.domains));

/** Removes a host from its project. Throws OperatorError if it has none, or if it is a primary host among several. */
export const removeDomain = ({ stores }: Deployment, text: string): Promise<CustomHost> =>
  refusing(() => removeHost(text, stores));
