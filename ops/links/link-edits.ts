import { Failure, valueOrFailure } from '../../core/base/failure.ts';
import { makeLinks } from '../../core/links/bulk-creation.ts';
import type { Link } from '../../core/links/link.ts';
import { checkRequest, type LinkDraft, type SentLink } from '../../core/links/link-draft.ts';
import { bySections, changeLink } from '../../core/links/link-patch.ts';
import { creationContext, makeLink } from '../../core/links/make-link.ts';
import { serviceHosts } from '../../core/projects/project.ts';
import type { StoredProject } from '../../core/projects/project-store.ts';
import type { LinkId } from '../../core/table/keys.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findProject } from '../projects/projects.ts';
import { operator, requireLink } from './links.ts';

/**
 * Creates a link by the API's rules, except for the project's subscription, which only API keys need. Throws
 * the API's failure, or OperatorError if there is no such project.
 */
export const addLink = async (deployment: Deployment, projectId: string, body: LinkDraft): Promise<Link> => {
  const call = { ...callOf(deployment, projectId, new Date()), needsSubscription: false };
  const project = await findProject(deployment, projectId);
  checkRequest(body, call.now);
  return makeLink(body, await creationContext(call, deployment.stores, [body], project));
};

/** Creates links as `addLink` does, independently: each may fail separately. */
export const addLinks = (
  deployment: Deployment,
  project: StoredProject,
  drafts: readonly (LinkDraft | Failure)[],
  signal: AbortSignal,
) => {
  const call = callOf(deployment, project.id, new Date());
  const requests = drafts.map((draft) =>
    draft instanceof Failure
      ? draft
      : valueOrFailure(() => {
          checkRequest(draft, call.now);
          return draft;
        }),
  );
  const untimed = { until: Number.POSITIVE_INFINITY, logUnforeseen: console.error, signal };
  return makeLinks(requests, { ...call, ...untimed, project, needsSubscription: false }, deployment.stores);
};

/** Changes a link as `PUT /links/{code}` does. Throws OperatorError, or the API's VALIDATION_ERROR. */
export const editLink = (deployment: Deployment, link: LinkId, request: SentLink) =>
  changeAsOperator(deployment, link, { request, depth: bySections });

/** Changes a link as `PATCH /links/{code}` does. */
export const changeLinkFields = (deployment: Deployment, link: LinkId, request: SentLink) =>
  changeAsOperator(deployment, link, { request });

type Change = Omit<Parameters<typeof changeLink>[0], 'code'>;

/** Changes a link. Throws OperatorError, or the API's failure. */
export const changeAsOperator = async (deployment: Deployment, link: LinkId, change: Change) => {
  await findProject(deployment, link.project);
  const call = callOf(deployment, link.project, new Date());
  await requireLink(link, changeLink({ code: link.code, ...change }, call, deployment.stores));
};

const callOf = ({ shortBase, shortHosts, linksPerProject }: Deployment, project: string, now: Date) => ({
  caller: { project, user: operator },
  now,
  shortBase,
  shortHosts: serviceHosts(shortBase, shortHosts),
  linksPerProject,
});
