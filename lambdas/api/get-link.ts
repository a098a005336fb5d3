import { getLink } from '../../core/api/links.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { namedApps } from '../../core/links/link.ts';
import { linkStore } from '../../core/links/link-store.ts';
import { presentLink, withApps } from '../../core/links/shown-link.ts';
import { projectStore } from '../../core/projects/project-store.ts';
import { serve } from '../frame/serve.ts';

export const handler = serve(
  getLink,
  { apps: appStore, links: linkStore, projects: projectStore },
  async ({ params, caller, now, shortBase }, { apps, links, projects }) => {
    const [{ link, analytics }, project] = await Promise.all([
      links.get(caller.project, params.code),
      projects.get(caller.project),
    ]);
    const named = namedApps(link.payload).map(({ id }) => id);
    const existing = await apps.existing(caller.project, named);
    return presentLink(withApps(link, existing), analytics, project, { shortBase, now });
  },
);
