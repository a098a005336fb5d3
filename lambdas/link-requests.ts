import type { Caller } from '../core/keys/caller.ts';
import { checkAlone, type Requested, savesApps } from '../core/links/link-draft.ts';
import { requireScope } from './admission.ts';

/** Refuses what needs no read to be refused. */
export const checkUnread = (
  request: Requested,
  { caller, now }: { readonly caller: Caller; readonly now: Date },
): void => {
  if (savesApps(request.payload)) requireScope(caller, 'apps:write');
  checkAlone(request, now);
};
