import { listLinks } from '../../core/api/links.ts';
import { presentLink, withApps } from '../../core/links/link.ts';
import { namedApps } from '../../core/links/link-draft.ts';
import { serve } from '../serve.ts';

export const handler = serve(
  listLinks,
  process.env,
  async ({ query, caller, now, shortBase }, { apps, links, projects }) => {
    const [page, project] = await Promise.all([
      links.page(caller.project, query.page, query.pageSize),
      projects.get(caller.project),
    ]);
    const named = page.links.flatMap(({ link }) => namedApps(link.payload).map(({ id }) => id));
    const existing = await apps.existing(caller.project, named);
    return {
      data: page.links.map(({ link, figures }) =>
        presentLink(withApps(link, existing), figures, project, { shortBase, now }),
      ),
      pagination: { ...query, total: page.total, totalPages: Math.ceil(page.total / query.pageSize) },
    };
  },
);
