import { randomUUID } from 'node:crypto';
import { createMobileApp } from '../../core/api/mobile-apps.ts';
import { newMobileApp } from '../../core/mobile-app.ts';
import { serve } from '../serve.ts';

export const handler = serve(createMobileApp, async ({ body, caller, now }, { apps }) => {
  await apps.requireRoom(caller.project);
  const app = newMobileApp(randomUUID(), body, now);
  await apps.create(caller.project, app);
  return app;
});
