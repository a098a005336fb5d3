import { patchBetween } from './merge-patch.ts';
import { type OwnFields, ownFieldsOf } from './own-fields.ts';
import type { LinkPayload } from './payload-fields.ts';

/** The content of a link that its owner sets. */
export type OwnContent = OwnFields & { readonly payload: LinkPayload };

export const ownContent = (link: OwnContent): OwnContent => ({ ...ownFieldsOf(link), payload: link.payload });

/** The patch that restores a link's earlier content; empty if nothing changed. */
export const patchBack = (link: OwnContent, before: OwnContent): unknown =>
  patchBetween(ownContent(link), ownContent(before));
