import { updateLinkStatus } from '../../core/api/links.ts';
import { linkStore } from '../../core/links/link-store.ts';
import { serve } from '../frame/serve.ts';

export const handler = serve(
  updateLinkStatus,
  { links: linkStore },
  async ({ params, body, caller, now }, { links }) => {
    const change = { now, by: caller.user };
    const link = await links.setStatus(caller.project, params.code, body.status, change);
    return { ...link, message: `The link is now ${link.status}` };
  },
);
