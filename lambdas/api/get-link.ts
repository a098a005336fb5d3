import { getLink } from '../../core/api/links.ts';
import { presentLink } from '../../core/link.ts';
import { serve } from '../serve.ts';

export const handler = serve(getLink, async ({ params, caller, now, shortBase }, { links, projects }) => {
  const [{ link, figures }, project] = await Promise.all([
    links.get(caller.project, params.code),
    projects.get(caller.project),
  ]);
  return presentLink(link, figures, project, shortBase, now);
});
