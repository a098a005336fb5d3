import { createLinks } from '../../core/api/links.ts';
import { readBody } from '../../core/api/request.ts';
import { createEach } from '../../core/links/bulk-creation.ts';
import {
  type CreationContext,
  createdAnswer,
  type MadeLink,
  makeLink,
  requireSubscription,
} from '../../core/links/link-creation.ts';
import { linkDraft } from '../../core/links/link-schema.ts';
import { requireScope } from '../admission.ts';
import { logError } from '../log.ts';
import { serve } from '../serve.ts';

/** Leaves enough of the function's time to answer. */
const workMs = 20_000;

export const handler = serve(
  createLinks,
  process.env,
  async ({ body, caller, now, shortBase, shortHosts, retry }, { apps, destinations, links, projects }) => {
    const until = Date.now() + workMs;
    const project = await projects.get(caller.project);
    const many = await retry.many(() => requireSubscription(project));
    const found = new Map<string, ReturnType<typeof apps.find>>();
    const context: CreationContext = {
      caller,
      now,
      shortBase,
      project: Promise.resolve(project),
      addressFaults: (addresses) => destinations.faults(addresses, shortHosts),
      findApp: (id) => {
        const finding = found.get(id) ?? apps.find(caller.project, id);
        found.set(id, finding);
        return finding;
      },
      requireSaving: () => requireScope(caller, 'apps:write'),
      links,
    };
    const create = async (item: unknown, index: number) => {
      const draft = readBody(linkDraft, item, 'link');
      const known = many.known.get(index);
      if (known) return createdAnswer(draft, known as MadeLink);
      try {
        return createdAnswer(draft, await makeLink(draft, context, many.remember(index)));
      } catch (error) {
        // Another call with the same key may have made it.
        const other = await many.recall(index);
        if (other) return createdAnswer(draft, other as MadeLink);
        throw error;
      }
    };
    const logUnforeseen = (error: unknown) =>
      logError('A link of many could not be created', error, {
        project: caller.project,
        keyId: caller.keyId,
      });
    const results = await createEach(body.links, { create, until, logUnforeseen });
    const created = results.filter(({ success }) => success).length;
    return { created, failed: results.length - created, results };
  },
);
