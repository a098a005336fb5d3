import { createLink } from '../../core/api/links.ts';
import { createdAnswer, type MadeLink, makeLink } from '../../core/links/link-creation.ts';
import { requireScope } from '../admission.ts';
import { serve } from '../serve.ts';

export const handler = serve(
  createLink,
  process.env,
  async ({ body, caller, now, shortBase, shortHosts, retry }, { apps, destinations, links, projects }) => {
    const made = await retry.once((remember) =>
      makeLink(
        body,
        {
          caller,
          now,
          shortBase,
          project: projects.get(caller.project),
          addressFaults: (addresses) => destinations.faults(addresses, shortHosts),
          findApp: (id) => apps.find(caller.project, id),
          requireSaving: () => requireScope(caller, 'apps:write'),
          links,
        },
        remember,
      ),
    );
    return createdAnswer(body, made as MadeLink);
  },
);
