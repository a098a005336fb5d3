import { randomUUID } from 'node:crypto';
import { createLink } from '../../core/api/links.ts';
import { Failure } from '../../core/failure.ts';
import { generateCode } from '../../core/links/code-generator.ts';
import { noFigures, presentLink } from '../../core/links/link.ts';
import { checkDraft, settlePayload } from '../../core/links/link-draft.ts';
import { ownHosts } from '../../core/projects/project.ts';
import { requireScope } from '../admission.ts';
import { serve } from '../serve.ts';

export const handler = serve(
  createLink,
  async ({ body, caller, now, shortBase }, { apps, links, projects }) => {
    const { payload, apps: newApps } = settlePayload(body.payload, randomUUID, now);
    if (newApps.length > 0) requireScope(caller, 'apps:write');
    const reading = projects.get(caller.project);
    const [project] = await Promise.all([
      reading,
      checkDraft(body, {
        now,
        hosts: reading.then((found) => ownHosts(found, shortBase)),
        findApp: (id) => apps.find(caller.project, id),
      }),
    ]);
    if (project.subscription !== 'active') {
      throw new Failure('SUBSCRIPTION_REQUIRED', 'Creating links needs an active subscription');
    }
    const createdAt = now.toISOString();
    const draft = {
      ...body,
      payload,
      id: randomUUID(),
      project: project.id,
      status: 'ACTIVE' as const,
      createdAt,
      updatedAt: createdAt,
      createdBy: caller.user,
    };
    const link = await links.create(draft, { project, apps: newApps, generateCode });
    return presentLink(link, noFigures, project, shortBase, now);
  },
);
