import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { Failure } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { failure } from '../base/messages.ts';
import type { Caller } from '../keys/caller.ts';
import { type Project, shortBaseOf } from '../projects/project.ts';
import type { StoredProject } from '../projects/project-store.ts';
import type { ResultRecord } from '../retries/retry-store.ts';
import type { Link } from './link.ts';
import {
  type Call,
  checkNamed,
  type Known,
  type PayloadDraft,
  type Requested,
  type Surroundings,
  settlePayload,
  surroundingsOf,
} from './link-draft.ts';
import type { linkDraft } from './link-schema.ts';
import type { linkStore } from './link-store.ts';
import { refuseManyTags } from './link-tags.ts';
import { ownFieldsOf } from './own-fields.ts';
import { shownAddresses } from './shown-link.ts';

/** A request to create a link. */
export type RequestedLink = z.output<typeof linkDraft>;

/** What a link is made of. */
export interface LinkRequest extends Partial<Pick<Link, 'code' | 'name' | 'tags' | 'expiresAt'>> {
  readonly payload: PayloadDraft;
}

/** Who creates links, and by which limits. */
export interface CreationCall extends Call {
  readonly caller: Pick<Caller, 'project' | 'user'>;
  /** Base address of short URLs for projects without a custom host. */
  readonly shortBase: string;
  /** Links that the project may have; any number if undefined. */
  readonly linksPerProject?: number | undefined;
  /** Operators create links for projects without a subscription, too. @default true */
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

/** What links are made with, looked up for all requests together; the project, too, if it isn't known. */
export const creationContext = async (
  call: CreationCall,
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

/** Throws SUBSCRIPTION_REQUIRED. */
export const requireSubscription = ({ subscription }: Project): void => {
  if (subscription !== 'active') throw failure('noSubscription');
};

/** Throws LIMIT_REACHED. */
const requireRoom = async ({
  links,
  project,
  limit,
}: Pick<CreationContext, 'links' | 'project' | 'limit'>): Promise<void> => {
  if (limit !== undefined && (await links.count(project.id)) >= limit)
    throw failure('tooManyLinks', { limit });
};

/**
 * Checks what a request names, and stores its link with the apps that it saves. `record` is where the result is recorded for
 * calls that repeat this one. Throws the API's failures.
 */
export const makeLink = async (
  request: LinkRequest,
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

/**
 * What `makeLink` would refuse of each request now, if it came as the only one; nothing is written. Of a code twice, the first
 * valid request gets it. Subscription and number of links are checked last.
 */
export const creationFailures = async (
  requests: readonly (LinkRequest | Failure)[],
  context: CreationContext & { readonly links: Pick<ReturnType<typeof linkStore>, 'room'> },
): Promise<(Failure | undefined)[]> => {
  const { project, surroundings, links, now, needsSubscription = true } = context;
  const codes = requests.flatMap((one) => (one instanceof Failure ? [] : (one.code ?? [])));
  const [room, full] = await Promise.all([
    links.room(project.id, codes),
    failureOf(() => requireRoom(context)),
  ]);
  const refuse = (request: LinkRequest): void => {
    checkNamed(request, surroundings);
    refuseManyTags(request.tags ?? [], room.tags);
    if (request.code !== undefined && room.taken.has(request.code)) throw failure('codeTaken');
    const { apps } = settlePayload(request.payload, now);
    if (apps.length > 0 && room.apps + apps.length > limits.appsPerProject) throw failure('tooManyApps');
    if (needsSubscription) requireSubscription(project);
    if (full) throw full;
    if (request.code !== undefined) room.taken.add(request.code);
  };
  const failures: (Failure | undefined)[] = [];
  for (const one of requests)
    failures.push(one instanceof Failure ? one : await failureOf(() => refuse(one)));
  return failures;
};

/** What a client would get, if anything. Throws what no client is to see. */
const failureOf = async (check: () => void | Promise<void>): Promise<Failure | undefined> => {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
};

/** What a creation adds to its request. */
export type MadeLink = Readonly<Record<'id' | 'code' | 'createdAt' | 'base', string>>;

/** The same as it is recorded. */
export const madeOf = ({ id, code, createdAt }: Link, { project, shortBase }: CreationContext): MadeLink => ({
  id,
  code,
  createdAt,
  base: shortBaseOf(project, shortBase),
});

/** The response to a creation. The same request and record give the same response, whatever the link is now. */
export const createdAnswer = (request: RequestedLink, made: MadeLink) => ({
  ...ownFieldsOf(request),
  id: made.id,
  code: made.code,
  status: 'ACTIVE' as const,
  createdAt: made.createdAt,
  clickCount: 0,
  ...shownAddresses(made.base, made.code, request.payload.link),
});
