import { isDeepStrictEqual } from 'node:util';
import { type AppSectionName, appSections } from '../apps/app-fields.ts';
import type { MobileApp } from '../apps/mobile-app.ts';
import { type Fault, refuseFaults } from '../base/failure.ts';
import { mergePatch } from '../base/merge-patch.ts';
import type { Link } from './link.ts';
import {
  hostFaults,
  type PayloadDraft,
  type PayloadEdit,
  type Requested,
  settlePayload,
} from './link-draft.ts';
import { campaignFaults, savingFaults } from './link-schema.ts';
import { type OwnChange, type OwnFields, ownFieldNames, ownFieldsOf } from './own-fields.ts';
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
  const before = { ...ownFieldsOf(link), payload: link.payload };
  const merged = mergePatch(before, patch) as OwnFields & { readonly payload: PayloadDraft };
  const named = patch.payload ?? {};
  const saved = appSections.map(({ name }) => name).filter((name) => named[name]?.saveApp);
  refuseFaults([
    ...dependentFaults(named, merged.payload),
    ...saved.flatMap((name) => savingFaults(name, merged.payload[name])),
  ]);
  const { payload, apps } = settlePayload(merged.payload, newId, now);
  const own = ownFieldsOf({ ...merged, ...(merged.tags?.length === 0 && { tags: undefined }) });
  const sections = Object.fromEntries(saved.map((name: AppSectionName) => [name, merged.payload[name]]));
  return {
    link: {
      ...link,
      ...Object.fromEntries(ownFieldNames.map((name) => [name, own[name]])),
      payload: payload as LinkPayload,
    },
    apps,
    judged: { payload: { ...named, ...sections }, expiresAt: patch.expiresAt },
    isChanged: apps.length > 0 || !isDeepStrictEqual({ ...own, payload }, before),
  };
};

/** Faults of fields that a patch names together with others that stay. */
const dependentFaults = (named: PayloadEdit, payload: PayloadDraft): Fault[] => [
  ...('rules' in named || 'link' in named ? hostFaults(payload) : []),
  ...(named.campaign ? campaignFaults(payload.campaign ?? {}) : []),
];
