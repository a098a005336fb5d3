import { Failure } from '../../core/base/failure.ts';
import { failure } from '../../core/base/messages.ts';
import type { LinkStatus } from '../../core/links/link.ts';
import { type LinkFilter, meets } from '../../core/links/link-filter.ts';
import type { LinkWithAnalytics } from '../../core/links/link-reads.ts';
import { showLink as showInCore, showLinks } from '../../core/links/show-links.ts';
import type { StoredProject } from '../../core/projects/project-store.ts';
import type { LinkId } from '../../core/table/keys.ts';
import { errorText } from '../base/error-text.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Deployment, DeploymentAccess } from '../deployment/deployment.ts';
import { findProject } from '../projects/projects.ts';
import { linkInOrder } from './field-order.ts';
import { findWaitingClicks, type WaitingClicks } from './waiting-clicks.ts';

/** A link as its owner sees it in `GET /links/{code}`. */
export type LinkView = Omit<Awaited<ReturnType<typeof showInCore>>, 'project' | 'segment'>;

export interface LinkSearch extends Pick<LinkFilter, 'search' | 'status' | 'tags'> {
  /** The most links, 50 by default. */
  readonly limit?: number | undefined;
}

/** Shorter lists are read as one page. */
const longestPage = 100;

/**
 * A project's links, newest first, their total number unless there is a filter, and whether there are more than the
 * limit. Throws OperatorError if there is no such project.
 */
export const findLinks = async (
  deployment: Deployment,
  projectId: string,
  { search = '', status, tags = [], limit = 50 }: LinkSearch = {},
) => {
  const project = await findProject(deployment, projectId);
  const isWhole = search === '' && status === undefined && tags.length === 0;
  if (isWhole && limit <= longestPage) {
    const { links, total } = await deployment.stores.links.page(projectId, 1, limit);
    return { links: await shown(links, deployment, project), total, hasMore: total > links.length };
  }
  const found: LinkWithAnalytics[] = [];
  for await (const portion of deployment.stores.links.all(projectId, tags)) {
    const filter = { search, status, blockedApart: true };
    found.push(...portion.filter(({ link }) => meets(link, filter, new Date())));
    if (found.length > limit) break;
  }
  const total = isWhole ? { total: await deployment.stores.links.count(projectId) } : {};
  const links = await shown(found.slice(0, limit), deployment, project);
  return { links, hasMore: found.length > limit, ...total };
};

/** Throws OperatorError if the project has no such link. */
export const showLink = async (deployment: Deployment, projectId: string, code: string) => {
  const project = await findProject(deployment, projectId);
  const place = { project: projectId, code };
  const found = await requireLink(place, deployment.stores.links.get(projectId, code));
  const { shortBase, stores } = deployment;
  return inOrder(await showInCore(found, { project, shortBase, now: new Date() }, stores.apps));
};

/**
 * Clicks of any link that wait to be counted, so that a shown link's analytics may be incomplete. If the role may
 * not see them or the queue is unreachable, reports that, and the link is still shown.
 */
export const uncountedClicks = async (
  deployment: Pick<DeploymentAccess, 'clickQueue'>,
  progress: (text: string) => void,
): Promise<{ readonly waitingClicks?: WaitingClicks }> => {
  try {
    const waitingClicks = await findWaitingClicks(deployment);
    return waitingClicks ? { waitingClicks } : {};
  } catch (error) {
    progress(`The number of clicks that wait to be counted is unknown: ${errorText(error)}`);
    return {};
  }
};

/** Pauses or activates a link. Throws OperatorError, or the API's failure if the link has the status or has expired. */
export const setLinkStatus = async (
  deployment: Deployment,
  project: string,
  code: string,
  status: Extract<LinkStatus, 'ACTIVE' | 'PAUSED'>,
) => {
  await findProject(deployment, project);
  const { links } = deployment.stores;
  const change = { now: new Date(), by: operator };
  await requireLink({ project, code }, links.setStatus(project, code, status, change));
  return showLink(deployment, project, code);
};

/** Deletes a link; its code stays taken. Throws OperatorError if the project has no such link. */
export const removeLink = async (deployment: Deployment, project: string, code: string) => {
  await findProject(deployment, project);
  const change = { now: new Date(), by: operator };
  const { id } = await requireLink({ project, code }, deployment.stores.links.delete(project, code, change));
  return { project, code, id };
};

/** The author of an operator's changes, instead of a key's user. */
export const operator = 'operator';

/** Shows links of one project, whose apps are read once. */
export const shower = async (deployment: Deployment, project: StoredProject) => {
  const apps = new Set((await deployment.stores.apps.list(project.id)).map(({ id }) => id));
  return (links: readonly LinkWithAnalytics[]) =>
    shown(links, deployment, project, { existing: async () => apps });
};

const shown = async (
  links: readonly LinkWithAnalytics[],
  { shortBase, stores }: Deployment,
  project: StoredProject,
  apps: Parameters<typeof showLinks>[2] = stores.apps,
): Promise<LinkView[]> =>
  (await showLinks(links, { project, shortBase, now: new Date() }, apps)).map(inOrder);

const inOrder = ({ project: _, segment, ...link }: Awaited<ReturnType<typeof showInCore>>): LinkView =>
  linkInOrder(link);

export const noLink = ({ project, code }: LinkId) =>
  new OperatorError(`The project ${project} has no link ${code}`);

/** Adds to the API's messages the missing link, and how operators unblock one. */
export const requireLink = async <Result>(link: LinkId, asked: Promise<Result>): Promise<Result> => {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'LINK_NOT_FOUND') throw noLink(link);
    if (error.message !== failure('linkBlocked').message) throw error;
    const { project, code } = link;
    throw new OperatorError(`${code} is blocked; 'link unblock ${code} --project ${project}' unblocks it`);
  }
};
