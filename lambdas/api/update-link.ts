import { randomUUID } from 'node:crypto';
import { updateLink } from '../../core/api/links.ts';
import { checkDraft, settlePayload } from '../../core/links/link-draft.ts';
import { requireScope } from '../admission.ts';
import { serve } from '../serve.ts';

export const handler = serve(
  updateLink,
  process.env,
  async ({ params, body, caller, now, shortHosts }, { apps, destinations, links }) => {
    const { payload, apps: newApps } = settlePayload(body.payload, randomUUID, now);
    if (newApps.length > 0) requireScope(caller, 'apps:write');
    const checks = checkDraft(body, {
      now,
      addressFaults: (addresses) => destinations.faults(addresses, shortHosts),
      findApp: (id) => apps.find(caller.project, id),
    });
    const link = { project: caller.project, code: params.code };
    await links.update(link, { ...body, payload, apps: newApps }, { now, by: caller.user, checks });
    return { message: 'The link was updated' };
  },
);
