import type { Link } from '../../core/links/link.ts';
import { checkAlone, type PayloadEdit } from '../../core/links/link-draft.ts';
import { bySections, changing, type LinkPatch } from '../../core/links/link-patch.ts';
import { creationContext, type LinkRequest, makeLink } from '../../core/links/make-link.ts';
import type { LinkId } from '../../core/table/keys.ts';
import { findProject } from '../projects/projects.ts';
import type { Target } from '../target/target.ts';
import { operator } from './links.ts';

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
export const createLink = async (target: Target, projectId: string, body: LinkRequest): Promise<Link> => {
  const call = { ...callOf(target, projectId, new Date()), needsSubscription: false };
  const project = await findProject(target, projectId);
  checkAlone(body, call.now);
  return makeLink(body, await creationContext(call, target.stores, [body], project));
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

const callOf = ({ shortBase, linksPerProject }: Target, project: string, now: Date) => ({
  caller: { project, user: operator },
  now,
  shortBase,
  shortHosts: [new URL(shortBase).host],
  linksPerProject,
});
