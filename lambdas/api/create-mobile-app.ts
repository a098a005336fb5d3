import { randomUUID } from 'node:crypto';
import { createMobileApp } from '../../core/api/mobile-apps.ts';
import { newMobileApp, ownHostFaults } from '../../core/apps/mobile-app.ts';
import { refuseFaults } from '../../core/failure.ts';
import { ownHosts } from '../../core/projects/project.ts';
import { serve } from '../serve.ts';

export const handler = serve(
  createMobileApp,
  async ({ body, caller, now, shortBase }, { apps, projects }) => {
    const project = await projects.get(caller.project);
    refuseFaults(ownHostFaults(body, ownHosts(project, shortBase)));
    const app = newMobileApp(randomUUID(), body, now);
    await apps.create(caller.project, app);
    return app;
  },
);
