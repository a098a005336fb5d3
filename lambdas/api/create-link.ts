import { randomUUID } from 'node:crypto';
import { createLink } from '../../core/api/links.ts';
import { generateCode } from '../../core/code-generator.ts';
import { Failure } from '../../core/failure.ts';
import { noFigures, presentLink } from '../../core/link.ts';
import { serve } from '../serve.ts';

export const handler = serve(createLink, async ({ body, caller, now, shortBase }, { links, projects }) => {
  const project = await projects.get(caller.project);
  if (project.subscription !== 'active') {
    throw new Failure('SUBSCRIPTION_REQUIRED', 'Creating links needs an active subscription');
  }
  const createdAt = now.toISOString();
  const draft = {
    ...body,
    id: randomUUID(),
    project: project.id,
    status: 'ACTIVE' as const,
    createdAt,
    updatedAt: createdAt,
    createdBy: caller.user,
  };
  const link = await links.create(draft, project, generateCode);
  return presentLink(link, noFigures, project, shortBase, now);
});
