import { createShareLink } from '../../core/api/share-links.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { destinationStore } from '../../core/destinations/destination-store.ts';
import { projectStore } from '../../core/projects/project-store.ts';
import { makeShareLink } from '../../core/share-links/make-share-link.ts';
import { shareLinkStore } from '../../core/share-links/share-link-store.ts';
import { serve } from '../frame/serve.ts';

export const handler = serve(
  createShareLink,
  { apps: appStore, destinations: destinationStore, projects: projectStore, shareLinks: shareLinkStore },
  (input, stores) => makeShareLink(input.body, input, stores),
);
