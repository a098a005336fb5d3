import { createLinks } from '../../core/api/bulk-links.ts';
import { readBody } from '../../core/api/request.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { valueOrFailure } from '../../core/base/failure.ts';
import { destinationStore } from '../../core/destinations/destination-store.ts';
import { makeLinks, validateLinks } from '../../core/links/bulk-creation.ts';
import { linkDraft } from '../../core/links/link-schema.ts';
import { linkStore } from '../../core/links/link-store.ts';
import { requireSubscription } from '../../core/links/make-link.ts';
import { projectStore } from '../../core/projects/project-store.ts';
import { checkUnread } from '../frame/link-requests.ts';
import { logError } from '../frame/log.ts';
import { serve } from '../frame/serve.ts';

/** Time for creations, in milliseconds, which leaves enough for the response. */
const workMs = 20_000;

export const handler = serve(
  createLinks,
  { apps: appStore, destinations: destinationStore, links: linkStore, projects: projectStore },
  async (input, stores) => {
    const { body, caller, query, idempotency } = input;
    const until = Date.now() + workMs;
    const project = await stores.projects.get(caller.project);
    const many = await idempotency.many(() => query.validateOnly || requireSubscription(project));
    const requests = body.links.map((item, index) =>
      valueOrFailure(() => {
        const request = readBody(linkDraft, item, 'link');
        if (!many.known.has(index)) checkUnread(request, input);
        return request;
      }),
    );
    if (query.validateOnly)
      return answerOf(await validateLinks(requests, { ...input, project }, stores), false);
    const logUnforeseen = (error: unknown) =>
      logError('A link of many could not be created', error, {
        project: caller.project,
        keyId: caller.keyId,
      });
    const call = { ...input, project, until, logUnforeseen, repeated: many };
    return answerOf(await makeLinks(requests, call, stores));
  },
);

const answerOf = <Result extends { readonly success: boolean }>(results: Result[], isStored = true) => {
  const failed = results.filter(({ success }) => !success).length;
  return { created: isStored ? results.length - failed : 0, failed, results };
};
