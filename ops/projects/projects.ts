import { makeProject, type ProjectDraft, requireProjectName } from '../../core/projects/make-project.ts';
import { type Project, shortBaseOf } from '../../core/projects/project.ts';
import type { StoredProject } from '../../core/projects/project-store.ts';
import { defaultStyle } from '../../core/qr-styles/stored-style.ts';
import { OperatorError, refusing } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** A project as operators see it. */
export interface ProjectView extends Pick<Project, 'id' | 'name' | 'subscription' | 'createdAt'> {
  readonly shortBase: string;
  /** Present while its short URLs and keys are stopped. */
  readonly suspended?: true;
}

/** Creates a project. Throws OperatorError for an invalid or taken id, or for an invalid name. */
export const createProject = async (deployment: Deployment, draft: ProjectDraft): Promise<ProjectView> =>
  show(await refusing(() => makeProject(draft, deployment.stores.projects)), deployment);

/** Throws OperatorError if there is no such project. */
export const findProject = async ({ stores }: Deployment, id: string): Promise<StoredProject> => {
  const project = await stores.projects.find(id);
  if (project) return project;
  const plain = id.trim().toLowerCase();
  const meant = plain !== id && (await stores.projects.find(plain)) ? `. Did you mean '${plain}'?` : '';
  throw new OperatorError(noProject(id).message + meant);
};

/** Throws OperatorError if there is no such project. */
export const showProject = async (deployment: Deployment, id: string): Promise<ProjectView> =>
  show(await findProject(deployment, id), deployment);

/** A project with its number of links and clicks. */
export interface ListedProject extends ProjectView {
  /** Links that are not deleted. */
  readonly links: number;
  /** Clicks of all time, those of deleted links included. */
  readonly clicks: number;
}

/** All projects, by id. */
export const listProjects = async (deployment: Deployment): Promise<ListedProject[]> => {
  const projects = await deployment.stores.projects.list();
  return Promise.all(
    projects.map(async (project) => {
      const [links, clicks] = await Promise.all([
        deployment.stores.links.count(project.id),
        deployment.stores.timeseries.total(project.id),
      ]);
      return { ...show(project, deployment), links, clicks };
    }),
  );
};

/** Throws OperatorError if there is no such project. */
export const setSubscription = async (
  deployment: Deployment,
  id: string,
  subscription: Project['subscription'],
): Promise<ProjectView> => {
  const project = await deployment.stores.projects.setSubscription(id, subscription);
  if (!project) throw noProject(id);
  return show(project, deployment);
};

/** Returns a project's QR codes and pages to the default look. Throws OperatorError if there is no such project. */
export const clearQrStyle = async (deployment: Deployment, id: string): Promise<ProjectView> => {
  const shown = await showProject(deployment, id);
  await deployment.stores.qrStyles.put(id, defaultStyle);
  return shown;
};

/** Renames a project. Throws OperatorError if there is no such project, or for an invalid name. */
export const renameProject = async (
  deployment: Deployment,
  id: string,
  name: string,
): Promise<ProjectView> => {
  const project = await refusing(async () => deployment.stores.projects.rename(id, requireProjectName(name)));
  if (!project) throw noProject(id);
  return show(project, deployment);
};

export const noProject = (id: string) => new OperatorError(`There is no project ${id}`);

const show = (project: Project, { shortBase }: Deployment): ProjectView => ({
  id: project.id,
  name: project.name,
  subscription: project.subscription,
  shortBase: shortBaseOf(project, shortBase),
  createdAt: project.createdAt,
  ...(project.suspendedAt !== undefined && { suspended: true as const }),
});
