import { updateMobileApp } from '../../core/api/mobile-apps.ts';
import { serve } from '../serve.ts';

export const handler = serve(updateMobileApp, ({ params, body, caller, now }, { apps }) =>
  apps.update(caller.project, params.id, body, now),
);
