import { Failure } from '../../core/base/failure.ts';
import { failure } from '../../core/base/messages.ts';
import { type Link, type LinkStatus, namedApps } from '../../core/links/link.ts';
import { type LinkFilter, meets } from '../../core/links/link-filter.ts';
import type { LinkWithAnalytics } from '../../core/links/link-reads.ts';
import { presentLink, withApps } from '../../core/links/shown-link.ts';
import type { StoredProject } from '../../core/projects/project-store.ts';
import type { LinkId } from '../../core/table/keys.ts';
import { errorText } from '../base/error-text.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Deployment, DeploymentAccess } from '../deployment/deployment.ts';
import { findProject } from '../projects/projects.ts';
import { linkInOrder } from './field-order.ts';
import { findWaitingClicks, type WaitingClicks } from './waiting-clicks.ts';

/** A link as its owner sees it in `GET /links/{code}`. */
export type ShownLink = Omit<ReturnType<typeof presentLink>, 'project' | 'segment'>;

export interface LinkSearch extends Pick<LinkFilter, 'search' | 'status' | 'tags'> {
  /** The most links, 50 by default. */
  readonly limit?: number | undefined;
}

/** Shorter lists are read as one page. */
const longestPage = 100;

export interface LinkList {
  readonly links: ShownLink[];
  /** The project's number of links; undefined with a filter. */
  readonly total?: number;
  /** Whether there are more than the limit. */
  readonly hasMore: boolean;
}

/** A project's links, newest first. Throws OperatorError if there is no such project. */
export const findLinks = async (
  deployment: Deployment,
  projectId: string,
  { search = '', status, tags = [], limit = 50 }: LinkSearch = {},
): Promise<LinkList> => {
  const project = await findProject(deployment, projectId);
  const show = await shower(deployment, project);
  const isWhole = search === '' && status === undefined && tags.length === 0;
  if (isWhole && limit <= longestPage) {
    const { links, total } = await deployment.stores.links.page(projectId, 1, limit);
    return { links: links.map(show), total, hasMore: total > links.length };
  }
  const found: ShownLink[] = [];
  for await (const portion of deployment.stores.links.all(projectId, tags)) {
    const filter = { search, status, blockedApart: true };
    found.push(...portion.filter(({ link }) => meets(link, filter, new Date())).map(show));
    if (found.length > limit) break;
  }
  const total = isWhole ? { total: await deployment.stores.links.count(projectId) } : {};
  return { links: found.slice(0, limit), hasMore: found.length > limit, ...total };
};

/** Throws OperatorError if the project has no such link. */
export const showLink = async (
  deployment: Deployment,
  projectId: string,
  code: string,
): Promise<ShownLink> => {
  const project = await findProject(deployment, projectId);
  const link = { project: projectId, code };
  const found = await requireLink(link, deployment.stores.links.get(projectId, code));
  const apps = await Promise.all(
    namedApps(found.link.payload).map(({ id }) => deployment.stores.apps.find(projectId, id)),
  );
  return present(found, {
    project,
    apps: new Set(apps.map((app) => app?.id)),
    shortBase: deployment.shortBase,
  });
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
): Promise<ShownLink> => {
  await findProject(deployment, project);
  const change = { now: new Date(), by: operator };
  await requireLink({ project, code }, deployment.stores.links.setStatus(project, code, status, change));
  return showLink(deployment, project, code);
};

/** Deletes a link; its code stays taken. Throws OperatorError if the project has no such link. */
export const removeLink = async (
  deployment: Deployment,
  project: string,
  code: string,
): Promise<Pick<Link, 'project' | 'code' | 'id'>> => {
  await findProject(deployment, project);
  const change = { now: new Date(), by: operator };
  const { id } = await requireLink({ project, code }, deployment.stores.links.delete(project, code, change));
  return { project, code, id };
};

/** The author of an operator's changes, instead of a key's user. */
export const operator = 'operator';

/** Shows links of one project, each with the apps that still exist. */
export const shower = async (deployment: Deployment, project: StoredProject) => {
  const apps = new Set<string | undefined>(
    (await deployment.stores.apps.list(project.id)).map(({ id }) => id),
  );
  return (found: LinkWithAnalytics) => present(found, { project, apps, shortBase: deployment.shortBase });
};

interface ProjectContext {
  readonly project: StoredProject;
  readonly apps: ReadonlySet<string | undefined>;
  readonly shortBase: string;
}

const present = (
  { link, analytics }: LinkWithAnalytics,
  { project, apps, shortBase }: ProjectContext,
): ShownLink => {
  const shown = presentLink(withApps(link, apps), analytics, project, { shortBase, now: new Date() });
  const { project: _, segment, ...rest } = shown;
  return linkInOrder(rest);
};

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
