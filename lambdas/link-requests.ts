import type { Caller } from '../core/keys/caller.ts';
import type { CreationContext } from '../core/links/link-creation.ts';
import {
  type Call,
  checkAlone,
  type Requested,
  savesApps,
  surroundingsOf,
} from '../core/links/link-draft.ts';
import type { StoredProject } from '../core/projects/project-store.ts';
import type { Granted } from '../core/stores.ts';
import { requireScope } from './admission.ts';

interface LinkCall extends Call {
  readonly caller: Caller;
  readonly linksPerProject?: number | undefined;
}

/** Refuses what needs no read to be refused. */
export const checkUnread = (request: Requested, { caller, now }: LinkCall): void => {
  if (savesApps(request.payload)) requireScope(caller, 'apps:write');
  checkAlone(request, now);
};

type CreationStores = Granted<
  'projects.get' | 'apps.existing' | 'destinations.hosts' | 'links.count' | 'links.create'
>;

/** What links are made with, looked up for all requests together; the project, too, if it isn't known. */
export const creationContext = async (
  call: LinkCall & Pick<CreationContext, 'shortBase'>,
  stores: CreationStores,
  requests: readonly Requested[],
  known?: StoredProject,
): Promise<CreationContext> => {
  const { caller, linksPerProject } = call;
  const [project, surroundings, links] = await Promise.all([
    known ?? stores.projects.get(caller.project),
    surroundingsOf(requests, call, stores),
    linksPerProject === undefined ? 0 : stores.links.count(caller.project),
  ]);
  const limit = links + requests.length > (linksPerProject ?? Infinity) ? linksPerProject : undefined;
  return { ...call, links: stores.links, project, surroundings, limit };
};
