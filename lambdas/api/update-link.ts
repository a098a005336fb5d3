import { randomUUID } from 'node:crypto';
import { updateLink } from '../../core/api/links.ts';
import { refuseOwnHosts, requireApps, requireFuture, settlePayload } from '../../core/link-draft.ts';
import { ownHosts } from '../../core/project.ts';
import { serve } from '../serve.ts';

export const handler = serve(
  updateLink,
  async ({ params, body, caller, now, shortBase }, { apps, links, projects }) => {
    requireFuture(body.expiresAt, now);
    const { payload, apps: newApps } = settlePayload(body.payload, randomUUID, now);
    const [project] = await Promise.all([
      projects.get(caller.project),
      requireApps(body.payload, (id) => apps.find(caller.project, id)),
      newApps.length > 0 && apps.requireRoom(caller.project),
    ]);
    refuseOwnHosts(payload, ownHosts(project, shortBase));
    await links.update({ project: project.id, code: params.code }, { ...body, payload }, newApps, now);
    return { message: 'The link was updated' };
  },
);
