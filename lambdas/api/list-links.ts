import { listLinks } from '../../core/api/links.ts';
import { presentLink, withApps } from '../../core/links/link.ts';
import { serve } from '../serve.ts';

export const handler = serve(
  listLinks,
  async ({ query, caller, now, shortBase }, { apps, links, projects }) => {
    const [page, project, allApps] = await Promise.all([
      links.page(caller.project, query.page, query.pageSize),
      projects.get(caller.project),
      apps.list(caller.project),
    ]);
    const known = new Set(allApps.map(({ id }) => id));
    return {
      data: page.links.map(({ link, figures }) =>
        presentLink(withApps(link, known), figures, project, shortBase, now),
      ),
      pagination: { ...query, total: page.total, totalPages: Math.ceil(page.total / query.pageSize) },
    };
  },
);
