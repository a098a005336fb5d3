import { listMobileApps } from '../../core/api/mobile-apps.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { serve } from '../frame/serve.ts';

export const handler = serve(listMobileApps, { apps: appStore }, async ({ caller }, { apps }) => {
  const all = await apps.list(caller.project);
  return { apps: all, total: all.length };
});
