import type { Caller } from '../core/keys/caller.ts';
import type { CreationContext } from '../core/links/link-creation.ts';
import {
  checkAlone,
  type Lookups,
  type Requested,
  savesApps,
  surroundingsOf,
} from '../core/links/link-draft.ts';
import type { StoredProject } from '../core/projects/project-store.ts';
import type { Granted } from '../core/stores.ts';
import { requireScope } from './admission.ts';

interface Call {
  readonly caller: Caller;
  readonly now: Date;
  readonly shortHosts: readonly string[];
  readonly linksPerProject?: number | undefined;
}

/** Refuses what needs no read to be refused. */
export const checkUnread = (request: Requested, { caller, now }: Call): void => {
  if (savesApps(request.payload)) requireScope(caller, 'apps:write');
  checkAlone(request, now);
};

/** How an endpoint finds what requests name. */
export const lookupsOf = (
  { caller, shortHosts }: Call,
  { apps, destinations }: Granted<'apps.existing' | 'destinations.hosts'>,
): Lookups => ({
  hosts: (addresses) => destinations.hosts(addresses, shortHosts),
  apps: (ids) => apps.existing(caller.project, ids),
});

type CreationStores = Granted<
  'projects.get' | 'apps.existing' | 'destinations.hosts' | 'links.count' | 'links.create'
>;

/** What links are made with, looked up for all requests together; the project, too, if it isn't known. */
export const creationContext = async (
  call: Call & Pick<CreationContext, 'shortBase'>,
  stores: CreationStores,
  requests: readonly Requested[],
  known?: StoredProject,
): Promise<CreationContext> => {
  const { caller, linksPerProject } = call;
  const [project, surroundings, links] = await Promise.all([
    known ?? stores.projects.get(caller.project),
    surroundingsOf(requests, lookupsOf(call, stores)),
    linksPerProject === undefined ? 0 : stores.links.count(caller.project),
  ]);
  const limit = links + requests.length > (linksPerProject ?? Infinity) ? linksPerProject : undefined;
  return { ...call, links: stores.links, project, surroundings, limit };
};
