import { deleteMobileApp } from '../../core/api/mobile-apps.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { serve } from '../frame/serve.ts';

export const handler = serve(deleteMobileApp, { apps: appStore }, async ({ params, caller }, { apps }) => {
  await apps.delete(caller.project, params.id);
  return { message: 'The mobile app was deleted' };
});
