import type { Caller } from '../../core/api-keys/caller.ts';
import { checkRequest, type SentLink, savesApps } from '../../core/links/link-draft.ts';
import { requireScope } from './admission.ts';

/** Makes the checks that need no reads. Throws a Failure. */
export const checkUnread = (
  request: SentLink,
  { caller, now }: { readonly caller: Caller; readonly now: Date },
): void => {
  if (savesApps(request)) requireScope(caller, 'apps:write');
  checkRequest(request, now);
};
