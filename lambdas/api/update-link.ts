import type { HandlerInput } from '../../core/api/endpoint.ts';
import { patchLink, updateLink } from '../../core/api/link-changes.ts';
import { appStore } from '../../core/apps/app-store.ts';
import { destinationStore } from '../../core/destinations/destination-store.ts';
import { bySections, changeLink } from '../../core/links/link-patch.ts';
import { linkStore } from '../../core/links/link-store.ts';
import type { Granted } from '../../core/stores.ts';
import { checkUnread } from '../frame/link-requests.ts';
import { endpointOf, serveMethods } from '../frame/serve.ts';

const stores = {
  apps: appStore,
  destinations: destinationStore,
  links: linkStore,
};

const change =
  (depth?: number) =>
  async (
    input: HandlerInput<typeof updateLink> | HandlerInput<typeof patchLink>,
    granted: Granted<(typeof updateLink)['uses'][number]>,
  ) => {
    checkUnread(input.body, input);
    await changeLink({ code: input.params.code, request: input.body, depth }, input, granted);
    return { message: 'The link was updated' };
  };

export const handler = serveMethods({
  PUT: endpointOf(updateLink, stores, change(bySections)),
  PATCH: endpointOf(patchLink, stores, change()),
});
