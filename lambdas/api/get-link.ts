import { getLink } from '../../core/api/links.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { takedownStore } from '../../core/destinations/takedowns.ts';
import { isHidden } from '../../core/links/hidden-links.ts';
import { linkStore } from '../../core/links/link-store.ts';
import { showLink } from '../../core/links/show-links.ts';
import { projectStore } from '../../core/projects/project-store.ts';
import { serve } from '../frame/serve.ts';

export const handler = serve(
  getLink,
  {
    apps: appStore,
    links: linkStore,
    projects: projectStore,
    takedowns: (_, reads) => takedownStore(reads),
  },
  async ({ params, caller, now, shortBase }, { apps, links, projects, takedowns }) => {
    const [found, project] = await Promise.all([
      links.get(caller.project, params.code),
      projects.get(caller.project),
    ]);
    const { link } = found;
    const shown = (await isHidden(link, takedowns))
      ? { ...found, link: { ...link, blockedAt: now.toISOString() } }
      : found;
    return showLink(shown, { project, shortBase, now }, apps);
  },
);
