import { randomUUID } from 'node:crypto';
import { createMobileApp } from '../../core/api/mobile-apps.ts';
import { newMobileApp, ownHostFaults } from '../../core/apps/mobile-app.ts';
import { refuseFaults } from '../../core/failure.ts';
import { ownHosts } from '../../core/projects/project.ts';
import { serve } from '../serve.ts';

export const handler = serve(
  createMobileApp,
  async ({ body, caller, now, shortBase, retry }, { apps, projects }) => {
    const made = await retry.once(async (remember) => {
      const project = await projects.get(caller.project);
      refuseFaults(ownHostFaults(body, ownHosts(project, shortBase)));
      const app = newMobileApp(randomUUID(), body, now);
      const { id, createdAt } = app;
      await apps.create(caller.project, app, remember({ id, createdAt }));
      return { id, createdAt };
    });
    return newMobileApp(made.id ?? '', body, new Date(made.createdAt ?? now));
  },
);
