import { getMobileApp } from '../../core/api/mobile-apps.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { serve } from '../frame/serve.ts';

export const handler = serve(getMobileApp, { apps: appStore }, ({ params, caller }, { apps }) =>
  apps.get(caller.project, params.id),
);
