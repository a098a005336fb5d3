import { randomUUID } from 'node:crypto';
import type { Caller } from '../api-keys/caller.ts';
import { failure } from '../base/messages.ts';
import type { Made, ResultRecord } from '../idempotency/idempotency-store.ts';
import { type Project, shortBaseOf } from '../projects/project.ts';
import type { StoredProject } from '../projects/project-store.ts';
import type { Link } from './link.ts';
import {
  checkReferences,
  extractSavedApps,
  type KnownReferences,
  type LinkCaller,
  type LinkDraft,
  type LookupStores,
  lookUpReferences,
} from './link-draft.ts';
import type { linkStore } from './link-store.ts';
import { ownFieldsOf } from './own-fields.ts';
import { shownAddresses } from './shown-link.ts';

export interface CreationCall extends LinkCaller {
  readonly caller: Pick<Caller, 'project' | 'user'>;
  /** Base address of short URLs for projects without a custom host. */
  readonly shortBase: string;
  /** The most links of the project; unlimited if undefined. */
  readonly linksPerProject?: number | undefined;
  /** Whether the project needs a subscription; operators' creations don't. @default true */
  readonly needsSubscription?: boolean;
}

type Links = Pick<ReturnType<typeof linkStore>, 'count' | 'create'>;

export interface CreationContext extends CreationCall {
  readonly project: StoredProject;
  readonly references: KnownReferences;
  /** The most links of the project, if these creations could exceed it. */
  readonly limit?: number | undefined;
  readonly links: Links;
}

export interface CreationStores extends LookupStores {
  readonly links: Links;
  readonly projects: { readonly get: (project: string) => Promise<StoredProject> };
}

/** Reads all data for creations, once for all requests; `known` avoids reading the project. */
export const creationContext = async (
  call: CreationCall,
  stores: CreationStores,
  requests: readonly LinkDraft[],
  known?: StoredProject,
): Promise<CreationContext> => {
  const { caller, linksPerProject } = call;
  const [project, references, links] = await Promise.all([
    known ?? stores.projects.get(caller.project),
    lookUpReferences(requests, call, stores),
    linksPerProject === undefined ? 0 : stores.links.count(caller.project),
  ]);
  const limit = links + requests.length > (linksPerProject ?? Infinity) ? linksPerProject : undefined;
  return { ...call, links: stores.links, project, references, limit };
};

/** Throws SUBSCRIPTION_REQUIRED. */
export const requireSubscription = ({ subscription }: Project): void => {
  if (subscription !== 'active') throw failure('noSubscription');
};

type Room = Pick<CreationContext, 'project' | 'limit'> & { readonly links: Pick<Links, 'count'> };

/** The number of links that a project may still create. */
export const linksLeft = async ({ links, project, limit }: Room): Promise<number> =>
  limit === undefined ? Infinity : Math.max(0, limit - (await links.count(project.id)));

/** Throws LIMIT_REACHED. */
export const requireRoom = async (room: Room): Promise<void> => {
  if ((await linksLeft(room)) === 0) throw failure('tooManyLinks', { limit: room.limit ?? 0 });
};

/**
 * Checks a request's apps and hosts, and stores its link with the apps that it saves. `record` is the record for
 * repeated calls. Throws the API's failures.
 */
export const makeLink = async (
  request: LinkDraft,
  context: CreationContext,
  record?: ResultRecord,
): Promise<Link> => {
  const { caller, now, shortBase, project, references, links, needsSubscription = true } = context;
  checkReferences(request, references);
  if (needsSubscription) requireSubscription(project);
  await requireRoom(context);
  const { payload, apps } = extractSavedApps(request.payload, now);
  const createdAt = now.toISOString();
  return links.create(
    {
      ...request,
      payload,
      id: randomUUID(),
      project: project.id,
      status: request.status ?? 'ACTIVE',
      createdAt,
      updatedAt: createdAt,
      createdBy: caller.user,
    },
    { project, apps, record, base: shortBaseOf(project, shortBase) },
  );
};

/** The values that a creation adds to its request, for its record. */
export const madeOf = ({ id, code, createdAt }: Link, { project, shortBase }: CreationContext): Made => ({
  id,
  code,
  createdAt,
  base: shortBaseOf(project, shortBase),
});

/** The response to a creation. It depends only on the request and the record, not on the link's current state. */
export const createdResponse = (
  request: LinkDraft,
  { id = '', code = '', createdAt = '', base = '' }: Made,
) => ({
  ...ownFieldsOf(request),
  id,
  code,
  status: request.status ?? 'ACTIVE',
  createdAt,
  clickCount: 0,
  ...shownAddresses(base, code, request.payload.link),
});
