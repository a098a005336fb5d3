import { deleteLink } from '../../core/api/links.ts';
import { linkStore } from '../../core/links/link-store.ts';
import { serve } from '../frame/serve.ts';

export const handler = serve(deleteLink, { links: linkStore }, async ({ params, caller, now }, { links }) => {
  const { id, code } = await links.delete(caller.project, params.code, { now, by: caller.user });
  return { message: 'The link was deleted', id, code };
});
