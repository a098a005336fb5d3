import { createLinks } from '../../core/api/bulk-links.ts';
import { readBody } from '../../core/api/request.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { errorOf, Failure } from '../../core/base/failure.ts';
import { destinationStore } from '../../core/destinations/destination-store.ts';
import { createEach, valueOrFailure } from '../../core/links/bulk-creation.ts';
import { creationFailures } from '../../core/links/creation-failures.ts';
import type { LinkDraft } from '../../core/links/link-draft.ts';
import { linkDraft } from '../../core/links/link-schema.ts';
import { linkStore } from '../../core/links/link-store.ts';
import {
  createdAnswer,
  creationContext,
  madeOf,
  makeLink,
  requireSubscription,
} from '../../core/links/make-link.ts';
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
    const open = requests.filter((one, index) => !(one instanceof Failure || many.known.has(index)));
    const context = await creationContext(input, stores, open as LinkDraft[], project);
    if (query.validateOnly)
      return validated(await creationFailures(requests, { ...context, links: stores.links }));
    const create = async (request: LinkDraft | Failure, index: number) => {
      if (request instanceof Failure) throw request;
      const known = many.known.get(index);
      if (known) return createdAnswer(request, known);
      try {
        const link = await makeLink(request, context, many.recordOf(index));
        return createdAnswer(request, madeOf(link, context));
      } catch (error) {
        // Another call with the same key may have created it.
        const other = await many.recall(index);
        if (other) return createdAnswer(request, other);
        throw error;
      }
    };
    const logUnforeseen = (error: unknown) =>
      logError('A link of many could not be created', error, {
        project: caller.project,
        keyId: caller.keyId,
      });
    // Near the limit, links are created in sequence, so that the first valid ones get the last places.
    const atOnce = context.limit === undefined ? undefined : 1;
    const results = await createEach(requests, { create, until, logUnforeseen, atOnce });
    const created = results.filter(({ success }) => success).length;
    return { created, failed: results.length - created, results };
  },
);

const validated = (failures: readonly (Failure | undefined)[]) => ({
  created: 0,
  failed: failures.filter(Boolean).length,
  results: failures.map((failure, index) =>
    failure ? { index, success: false as const, error: errorOf(failure) } : { index, success: true as const },
  ),
});
