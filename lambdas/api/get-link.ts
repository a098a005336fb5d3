import { getLink } from '../../core/api/links.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { takedownStore } from '../../core/destinations/takedowns.ts';
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
    const isKeyBlocked = await takedowns.isKeyBlocked(found.link.shareKey);
    return showLink(found, { project, shortBase, now, isKeyBlocked }, apps);
  },
);
