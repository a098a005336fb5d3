import { createLink } from '../../core/api/link-creation.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { destinationStore } from '../../core/destinations/destination-store.ts';
import { linkStore } from '../../core/links/link-store.ts';
import { createdResponse, creationContext, madeOf, makeLink } from '../../core/links/make-link.ts';
import { projectStore } from '../../core/projects/project-store.ts';
import { checkUnread } from '../frame/link-requests.ts';
import { serve } from '../frame/serve.ts';

export const handler = serve(
  createLink,
  { apps: appStore, destinations: destinationStore, links: linkStore, projects: projectStore },
  async (input, stores) => {
    const { body, idempotency } = input;
    const made = await idempotency.once(async (record) => {
      checkUnread(body, input);
      const context = await creationContext(input, stores, [body]);
      return madeOf(await makeLink(body, context, record), context);
    });
    return createdResponse(body, made);
  },
);
