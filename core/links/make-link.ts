import { randomUUID } from 'node:crypto';
import type { Caller } from '../api-keys/caller.ts';
import { failure } from '../base/messages.ts';
import type { Made, ResultRecord } from '../idempotency/idempotency-store.ts';
import { type Project, shortBaseOf } from '../projects/project.ts';
import type { StoredProject } from '../projects/project-store.ts';
import type { Link } from './link.ts';
import {
  checkNamed,
  type Known,
  type LinkCaller,
  type LinkDraft,
  type Surroundings,
  settlePayload,
  surroundingsOf,
} from './link-draft.ts';
import type { linkStore } from './link-store.ts';
import { ownFieldsOf } from './own-fields.ts';
import { shownAddresses } from './shown-link.ts';

/** Who creates links, and by which limits. */
export interface CreationCall extends LinkCaller {
  readonly caller: Pick<Caller, 'project' | 'user'>;
  /** Base address of short URLs for projects without a custom host. */
  readonly shortBase: string;
  /** Links that the project may have; any number if undefined. */
  readonly linksPerProject?: number | undefined;
  /** Whether the project needs a subscription; operators' links don't. @default true */
  readonly needsSubscription?: boolean;
}

type Links = Pick<ReturnType<typeof linkStore>, 'count' | 'create'>;

export interface CreationContext extends CreationCall {
  readonly project: StoredProject;
  readonly surroundings: Surroundings;
  /** The most links that the project may have, if these could be too many. */
  readonly limit?: number | undefined;
  readonly links: Links;
}

interface CreationStores extends Known {
  readonly links: Links;
  readonly projects: { readonly get: (project: string) => Promise<StoredProject> };
}

/** Looks up everything that creations need, once for all requests; `known` saves reading the project. */
export const creationContext = async (
  call: CreationCall,
  stores: CreationStores,
  requests: readonly LinkDraft[],
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

/** Throws SUBSCRIPTION_REQUIRED. */
export const requireSubscription = ({ subscription }: Project): void => {
  if (subscription !== 'active') throw failure('noSubscription');
};

type Room = Pick<CreationContext, 'project' | 'limit'> & { readonly links: Pick<Links, 'count'> };

/** How many more links a project may have. */
export const linksLeft = async ({ links, project, limit }: Room): Promise<number> =>
  limit === undefined ? Infinity : Math.max(0, limit - (await links.count(project.id)));

/** Throws LIMIT_REACHED. */
export const requireRoom = async (room: Room): Promise<void> => {
  if ((await linksLeft(room)) === 0) throw failure('tooManyLinks', { limit: room.limit ?? 0 });
};

/**
 * Checks what a request names, and stores its link with the apps that it saves. `record` is where the result is recorded for
 * calls that repeat this one. Throws the API's failures.
 */
export const makeLink = async (
  request: LinkDraft,
  context: CreationContext,
  record?: ResultRecord,
): Promise<Link> => {
  const { caller, now, shortBase, project, surroundings, links, needsSubscription = true } = context;
  checkNamed(request, surroundings);
  if (needsSubscription) requireSubscription(project);
  await requireRoom(context);
  const { payload, apps } = settlePayload(request.payload, now);
  const createdAt = now.toISOString();
  return links.create(
    {
      ...request,
      payload,
      id: randomUUID(),
      project: project.id,
      status: 'ACTIVE',
      createdAt,
      updatedAt: createdAt,
      createdBy: caller.user,
    },
    { project, apps, record, base: shortBaseOf(project, shortBase) },
  );
};

/** What a creation adds to its request, as it is recorded. */
export const madeOf = ({ id, code, createdAt }: Link, { project, shortBase }: CreationContext): Made => ({
  id,
  code,
  createdAt,
  base: shortBaseOf(project, shortBase),
});

/** The response to a creation. The same request and record give the same response, whatever the link is now. */
export const createdAnswer = (
  request: LinkDraft,
  { id = '', code = '', createdAt = '', base = '' }: Made,
) => ({
  ...ownFieldsOf(request),
  id,
  code,
  status: 'ACTIVE' as const,
  createdAt,
  clickCount: 0,
  ...shownAddresses(base, code, request.payload.link),
});
