import { randomUUID } from 'node:crypto';
import { failure } from '../../core/base/messages.ts';
import type { Link } from '../../core/links/link.ts';
import { check, type PayloadDraft, type PayloadEdit, settlePayload } from '../../core/links/link-draft.ts';
import { bySections, changing, type LinkPatch } from '../../core/links/link-patch.ts';
import type { LinkId } from '../../core/table/keys.ts';
import { findProject } from '../projects/projects.ts';
import type { Target } from '../target/target.ts';
import { operator } from './links.ts';

/** The body of `POST /links`. */
export interface NewLink {
  readonly code?: string | undefined;
  readonly name?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly payload: PayloadDraft;
  readonly expiresAt?: string | undefined;
}

/** As the body of `PUT /links/{code}`: omitted fields stay, here the destination, too; null clears. */
export interface LinkEdit {
  readonly name?: string | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly payload: PayloadEdit;
  readonly expiresAt?: string | null | undefined;
}

/**
 * Creates a link by the API's rules, except for the project's subscription, which only API keys need. Throws
 * the API's failure, or OperatorError if there is no such project.
 */
export const createLink = async (target: Target, projectId: string, body: NewLink): Promise<Link> => {
  const now = new Date();
  const project = await findProject(target, projectId);
  const { payload, apps } = settlePayload(body.payload, now);
  await check(body, callOf(target, projectId, now), target.stores);
  await requireRoom(target, projectId);
  const createdAt = now.toISOString();
  return target.stores.links.create(
    {
      ...body,
      payload,
      id: randomUUID(),
      project: projectId,
      status: 'ACTIVE',
      createdAt,
      updatedAt: createdAt,
      createdBy: operator,
    },
    { project, apps },
  );
};

/** Changes a link by the API's rules. Throws the API's failure, or OperatorError if there is no such project. */
export const updateLink = (target: Target, link: LinkId, body: LinkEdit): Promise<void> =>
  change(target, link, body, bySections);

/** Merges a JSON Merge Patch into a link by the API's rules, as `PATCH /links/{code}` does. Throws as `updateLink`. */
export const patchLink = (target: Target, link: LinkId, patch: LinkPatch): Promise<void> =>
  change(target, link, patch);

const change = async (target: Target, link: LinkId, request: LinkPatch, depth?: number): Promise<void> => {
  const call = callOf(target, link.project, new Date());
  await findProject(target, link.project);
  const choose = changing(request, call, target.stores, depth);
  await target.stores.links.update(link, choose, { now: call.now, by: operator });
};

/** Throws LIMIT_REACHED. */
const requireRoom = async ({ stores, linksPerProject: limit }: Target, project: string): Promise<void> => {
  if (limit !== undefined && (await stores.links.count(project)) >= limit)
    throw failure('tooManyLinks', { limit });
};

const callOf = ({ shortBase }: Target, project: string, now: Date) => ({
  caller: { project },
  now,
  shortHosts: [new URL(shortBase).host],
});
