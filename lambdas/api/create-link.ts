import { createLink } from '../../core/api/link-creation.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { destinationStore } from '../../core/destinations/destination-store.ts';
import { createdAnswer, type MadeLink, makeLink } from '../../core/links/link-creation.ts';
import { linkStore } from '../../core/links/link-store.ts';
import { projectStore } from '../../core/projects/project-store.ts';
import { checkUnread, creationContext } from '../link-requests.ts';
import { serve } from '../serve.ts';

export const handler = serve(
  createLink,
  { apps: appStore, destinations: destinationStore, links: linkStore, projects: projectStore },
  async (input, stores) => {
    const { body, retry } = input;
    const made = await retry.once(async (remember) => {
      checkUnread(body, input);
      return makeLink(body, await creationContext(input, stores, [body]), remember);
    });
    return createdAnswer(body, made as MadeLink);
  },
);
