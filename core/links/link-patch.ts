import { isDeepStrictEqual } from 'node:util';
import { appSections } from '../apps/app-fields.ts';
import type { MobileApp } from '../apps/mobile-app.ts';
import { type Fault, refuseFaults } from '../base/failure.ts';
import type { Link } from './link.ts';
import {
  hostFaults,
  mergedLink,
  type PayloadDraft,
  type PayloadEdit,
  type Requested,
  settlePayload,
} from './link-draft.ts';
import { campaignFaults, savingFaults } from './link-schema.ts';
import { type OwnChange, ownFieldsOf } from './own-fields.ts';
import type { LinkPayload } from './payload-fields.ts';

/** A JSON Merge Patch of what owners set of a link. */
export interface LinkPatch extends OwnChange {
  readonly payload?: PayloadEdit | undefined;
}

/** What a patch makes of a link. */
export interface Patched {
  readonly link: Link;
  /** Apps to save with the change. */
  readonly apps: readonly MobileApp[];
  /** What has to be judged beyond the patch's own form: what it names, and a section that it saves as an app. */
  readonly judged: Requested;
  readonly isChanged: boolean;
}

/** Merges a patch into a link. Throws VALIDATION_ERROR for what only the merged link shows. */
export const patched = (link: Link, patch: LinkPatch, newId: () => string, now: Date): Patched => {
  const next = mergedLink(link, patch);
  // Of a patch, it may say what to save.
  const draft: PayloadDraft = next.payload;
  const named = patch.payload ?? {};
  const saved = appSections.map(({ name }) => name).filter((name) => named[name]?.saveApp);
  refuseFaults([
    ...dependentFaults(named, draft),
    ...saved.flatMap((name) => savingFaults(name, draft[name])),
  ]);
  const { payload, apps } = settlePayload(draft, newId, now);
  const sections = Object.fromEntries(saved.map((name) => [name, draft[name]]));
  const isSame =
    isDeepStrictEqual(payload, link.payload) && isDeepStrictEqual(ownFieldsOf(next), ownFieldsOf(link));
  return {
    link: { ...next, payload: payload as LinkPayload },
    apps,
    judged: { payload: { ...named, ...sections }, expiresAt: patch.expiresAt },
    isChanged: apps.length > 0 || !isSame,
  };
};

/** Faults of fields that a patch names together with others that stay. */
const dependentFaults = (named: PayloadEdit, payload: PayloadDraft): Fault[] => [
  ...('rules' in named || 'link' in named ? hostFaults(payload) : []),
  ...(named.campaign ? campaignFaults(payload.campaign ?? {}) : []),
];
