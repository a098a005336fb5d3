import * as z from 'zod';
import { subscriptions } from '../../../core/projects/project.ts';
import { qrStyle } from '../../../core/qr-styles/qr-style.ts';
import { OperatorError } from '../../base/operator-error.ts';
import type { DeploymentAccess } from '../../deployment/deployment.ts';
import { deleteProject, incomplete } from '../../projects/project-deletion.ts';
import {
  createProject,
  listProjects,
  renameProject,
  setSubscription,
  showProject,
} from '../../projects/projects.ts';
import { body, consoleCall, id } from '../call.ts';

const subscription = z.enum(subscriptions);
export const project = id;

/** A call about one project, with no other input. */
export const projectCall = <Output>(run: (deployment: DeploymentAccess, id: string) => Promise<Output>) =>
  consoleCall(z.object({ project }), (input, { deployment }) => run(deployment, input.project));

export const projectCalls = {
  projects: consoleCall(z.object({}), (_, { deployment }) => listProjects(deployment)),

  project: projectCall(showProject),

  /** The project's data for every view's head; an unknown project has its id as name. */
  projectHead: consoleCall(z.object({ project }), async (input, { deployment }) => {
    const found = await deployment.stores.projects.find(input.project);
    return { name: found?.name ?? input.project, isSuspended: found?.suspendedAt !== undefined };
  }),

  renameProject: consoleCall(z.object({ project, name: z.string() }), (input, { deployment }) =>
    renameProject(deployment, input.project, input.name),
  ),

  createProject: consoleCall(
    z.object({ id: z.string(), name: z.string().optional(), subscription: subscription.optional() }),
    (input, { deployment }) => createProject(deployment, input),
  ),

  setSubscription: consoleCall(z.object({ project, subscription }), (input, { deployment }) =>
    setSubscription(deployment, input.project, input.subscription),
  ),

  qrStyle: projectCall(({ stores }, project) => stores.qrStyles.get(project)),

  setQrStyle: consoleCall(z.object({ project, style: body(qrStyle) }), async (input, { deployment }) => {
    await showProject(deployment, input.project);
    await deployment.stores.qrStyles.put(input.project, input.style);
  }),

  /** Deletes everything of a project permanently. */
  deleteProject: consoleCall(z.object({ project }), async (input, { deployment, indexes, progress }) => {
    indexes.forget(input.project);
    const { items, complete } = await deleteProject(deployment, input.project, (text) => progress({ text }));
    if (!complete) throw new OperatorError(incomplete(input.project));
    return { items };
  }),
};
