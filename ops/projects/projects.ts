import { makeProject, type ProjectDraft, requireProjectName } from '../../core/projects/make-project.ts';
import { type Project, shortBaseOf } from '../../core/projects/project.ts';
import type { StoredProject } from '../../core/projects/project-store.ts';
import { defaultStyle } from '../../core/qr-styles/stored-style.ts';
import { OperatorError, refusing } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** Creates a project. Throws OperatorError for an invalid or taken id, or for an invalid name. */
export const createProject = async (deployment: Deployment, draft: ProjectDraft) =>
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
export const showProject = async (deployment: Deployment, id: string) =>
  show(await findProject(deployment, id), deployment);

/** All projects, by id, with the number of links that aren't deleted, and all clicks, also those of deleted links. */
export const listProjects = async (deployment: Deployment) => {
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
) => {
  const project = await deployment.stores.projects.setSubscription(id, subscription);
  if (!project) throw noProject(id);
  return show(project, deployment);
};

/** Returns a project's QR codes and pages to the default look. Throws OperatorError if there is no such project. */
export const clearQrStyle = async (deployment: Deployment, id: string) => {
  const shown = await showProject(deployment, id);
  await deployment.stores.qrStyles.put(id, defaultStyle);
  return shown;
};

/** Renames a project. Throws OperatorError if there is no such project, or for an invalid name. */
export const renameProject = async (deployment: Deployment, id: string, name: string) => {
  const project = await refusing(async () => deployment.stores.projects.rename(id, requireProjectName(name)));
  if (!project) throw noProject(id);
  return show(project, deployment);
};

export const noProject = (id: string) => new OperatorError(`There is no project ${id}`);

/** A project as operators see it; `suspended` is present while its short URLs and keys are stopped. */
const show = (project: Project, { shortBase }: Deployment) => ({
  id: project.id,
  name: project.name,
  subscription: project.subscription,
  shortBase: shortBaseOf(project, shortBase),
  createdAt: project.createdAt,
  ...(project.suspendedAt !== undefined && { suspended: true as const }),
});
