import * as z from 'zod';
import { mobileAppChange, mobileAppDraft } from '../../../core/apps/mobile-app-schema.ts';
import { createApp, deleteApp, listApps, updateApp } from '../../projects/apps.ts';
import { body, consoleCall, id } from '../call.ts';
import { project } from './projects.ts';

const one = z.object({ project, id });

export const appCalls = {
  apps: consoleCall(z.object({ project }), (input, { target }) => listApps(target, input.project)),

  app: consoleCall(one, (input, { target }) => target.stores.apps.get(input.project, input.id)),

  createApp: consoleCall(z.object({ project, app: body(mobileAppDraft) }), (input, { target }) =>
    createApp(target, input.project, input.app),
  ),

  updateApp: consoleCall(one.extend({ app: body(mobileAppChange) }), ({ app, ...input }, { target }) =>
    updateApp(target, input, app),
  ),

  deleteApp: consoleCall(one, async (input, { target }) => {
    await deleteApp(target, input.project, input.id);
    return null;
  }),
};
