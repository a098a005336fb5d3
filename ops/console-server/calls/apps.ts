import * as z from 'zod';
import { mobileAppChange, mobileAppDraft } from '../../../core/apps/mobile-app-schema.ts';
import { createApp, deleteApp, listApps, updateApp } from '../../projects/apps.ts';
import { body, consoleCall, id } from '../call.ts';
import { project, projectCall } from './projects.ts';

const one = z.object({ project, id });

export const appCalls = {
  apps: projectCall(listApps),

  app: consoleCall(one, (input, { deployment }) => deployment.stores.apps.get(input.project, input.id)),

  createApp: consoleCall(z.object({ project, app: body(mobileAppDraft) }), (input, { deployment }) =>
    createApp(deployment, input.project, input.app),
  ),

  updateApp: consoleCall(one.extend({ app: body(mobileAppChange) }), ({ app, ...input }, { deployment }) =>
    updateApp(deployment, input, app),
  ),

  deleteApp: consoleCall(one, async (input, { deployment }) => {
    await deleteApp(deployment, input.project, input.id);
    return null;
  }),
};
