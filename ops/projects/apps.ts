import { randomUUID } from 'node:crypto';
import {
  addressesOfApp,
  changeFaults,
  type MobileApp,
  type MobileAppChange,
  type MobileAppDraft,
  newMobileApp,
} from '../../core/apps/mobile-app.ts';
import { refuseFaults } from '../../core/base/failure.ts';
import { serviceHosts } from '../../core/projects/project.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findProject } from './projects.ts';

/** A project's saved apps, newest first. Throws OperatorError if there is no such project. */
export const listApps = async (deployment: Deployment, project: string): Promise<MobileApp[]> => {
  await findProject(deployment, project);
  return deployment.stores.apps.list(project);
};

/** Throws the API's failure, or OperatorError if there is no such project. */
export const createApp = async (deployment: Deployment, projectId: string, draft: MobileAppDraft) => {
  await findProject(deployment, projectId);
  refuseFaults(await addressFaults(deployment, draft));
  const app = newMobileApp(randomUUID(), draft, new Date());
  await deployment.stores.apps.create(projectId, app);
  return app;
};

const addressFaults = ({ stores, shortBase, shortHosts }: Deployment, given: MobileAppChange) =>
  stores.destinations.faults(addressesOfApp(given), serviceHosts(shortBase, shortHosts));

/** Updates the given fields. Throws the API's failure, or OperatorError if there is no such project. */
export const updateApp = async (
  deployment: Deployment,
  { project: projectId, id }: { readonly project: string; readonly id: string },
  change: MobileAppChange,
): Promise<MobileApp> => {
  await findProject(deployment, projectId);
  const { platform } = await deployment.stores.apps.get(projectId, id);
  refuseFaults([...changeFaults(platform, change), ...(await addressFaults(deployment, change))]);
  return deployment.stores.apps.update(projectId, id, { change, now: new Date() });
};

/** Deletes a saved app permanently; links that name it use their own settings. Throws MOBILE_APP_NOT_FOUND. */
export const deleteApp = (deployment: Deployment, project: string, id: string): Promise<void> =>
  deployment.stores.apps.delete(project, id);
