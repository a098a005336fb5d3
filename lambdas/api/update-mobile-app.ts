import { updateMobileApp } from '../../core/api/mobile-apps.ts';
import { changeFaults, ownHostFaults } from '../../core/apps/mobile-app.ts';
import { refuseFaults } from '../../core/failure.ts';
import { ownHosts } from '../../core/projects/project.ts';
import { serve } from '../serve.ts';

export const handler = serve(
  updateMobileApp,
  async ({ params, body, caller, now, shortBase }, { apps, projects }) => {
    const [{ platform }, project] = await Promise.all([
      apps.get(caller.project, params.id),
      projects.get(caller.project),
    ]);
    refuseFaults([...changeFaults(platform, body), ...ownHostFaults(body, ownHosts(project, shortBase))]);
    return apps.update(caller.project, params.id, { change: body, now });
  },
);
