import { randomUUID } from 'node:crypto';
import { failure } from '../../core/base/messages.ts';
import { generateCode } from '../../core/links/code-generator.ts';
import type { Link } from '../../core/links/link.ts';
import {
  check,
  type Lookups,
  type PayloadDraft,
  type PayloadEdit,
  settlePayload,
} from '../../core/links/link-draft.ts';
import { type LinkPatch, patched } from '../../core/links/link-patch.ts';
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
  const { payload, apps } = settlePayload(body.payload, randomUUID, now);
  await check(body, now, lookupsOf(target, projectId));
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
    { project, apps, generateCode },
  );
};

/** Changes a link by the API's rules. Throws the API's failure, or OperatorError if there is no such project. */
export const updateLink = async (
  target: Target,
  { project: projectId, code }: LinkId,
  body: LinkEdit,
): Promise<void> => {
  const now = new Date();
  await findProject(target, projectId);
  const { payload, apps } = settlePayload(body.payload, randomUUID, now);
  const checks = check(body, now, lookupsOf(target, projectId));
  await target.stores.links.update(
    { project: projectId, code },
    { ...body, payload, apps },
    { now, by: operator, checks },
  );
};

/** Merges a JSON Merge Patch into a link by the API's rules, as `PATCH /links/{code}` does. Throws as `updateLink`. */
export const patchLink = async (
  target: Target,
  { project, code }: LinkId,
  patch: LinkPatch,
): Promise<void> => {
  const now = new Date();
  await findProject(target, project);
  const choose = async (link: Link) => {
    const { judged, isChanged, ...next } = patched(link, patch, randomUUID, now);
    await check(judged, now, lookupsOf(target, project));
    return isChanged ? next : undefined;
  };
  await target.stores.links.update({ project, code }, choose, { now, by: operator });
};

/** Throws LIMIT_REACHED. */
const requireRoom = async ({ stores, linksPerProject: limit }: Target, project: string): Promise<void> => {
  if (limit !== undefined && (await stores.links.count(project)) >= limit)
    throw failure('tooManyLinks', { limit });
};

const lookupsOf = ({ stores, shortBase }: Target, project: string): Lookups => ({
  hosts: (addresses) => stores.destinations.hosts(addresses, [new URL(shortBase).host]),
  apps: (ids) => stores.apps.existing(project, ids),
});
