import { patchBetween } from './merge-patch.ts';
import { type OwnFields, ownFieldsOf } from './own-fields.ts';
import type { LinkPayload } from './payload-fields.ts';

/** What owners set of a link. */
export type OwnContent = OwnFields & { readonly payload: LinkPayload };

export const ownContent = (link: OwnContent): OwnContent => ({ ...ownFieldsOf(link), payload: link.payload });

/** The patch that makes a link as it was; empty if it is. */
export const patchBack = (link: OwnContent, before: OwnContent): unknown =>
  patchBetween(ownContent(link), ownContent(before));
