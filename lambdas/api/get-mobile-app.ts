import { getMobileApp } from '../../core/api/mobile-apps.ts';
import { serve } from '../serve.ts';

export const handler = serve(getMobileApp, process.env, ({ params, caller }, { apps }) =>
  apps.get(caller.project, params.id),
);
