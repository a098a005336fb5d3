import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../api-keys/caller.ts';
import { appSections } from '../apps/app-fields.ts';
import { type Fault, refuseFaults } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { fault } from '../base/messages.ts';
import type { Link } from './link.ts';
import {
  checkLink,
  extractSavedApps,
  hostFaults,
  type LinkCaller,
  type LinkDraft,
  type LookupStores,
  type SentLink,
} from './link-draft.ts';
import { savingFaults, wholeFaults } from './link-schema.ts';
import type { ChooseNext, linkStore } from './link-store.ts';
import type { ChangeableState } from './link-writes.ts';
import { mergePatch } from './merge-patch.ts';
import { ownContent } from './own-content.ts';
import { normalizedFields, ownFieldsOf } from './own-fields.ts';
import type { LinkPayload } from './payload-fields.ts';

/** The depth of a whole update, which replaces sections of the payload. A JSON Merge Patch merges at every depth. */
export const bySections = 2;

interface ChangeCall extends LinkCaller {
  readonly caller: Pick<Caller, 'project' | 'user'>;
}

interface ChangeStores extends LookupStores {
  readonly links: Pick<ReturnType<typeof linkStore>, 'update'>;
}

interface LinkChange {
  readonly code: string;
  /** The request, or a function that makes one for the current link. */
  readonly request: SentLink | ((link: Link) => SentLink);
  /** The depth of merging; unlimited if undefined. */
  readonly depth?: number | undefined;
  /** The states of the link in which it may be changed. @default live */
  readonly state?: ChangeableState;
}

/** Changes a link, as a patch or as a whole update. Throws VALIDATION_ERROR, and what the store's `update` throws. */
export const changeLink = (
  { code, request, depth, state }: LinkChange,
  call: ChangeCall,
  stores: ChangeStores,
): Promise<void> => {
  const { project, user } = call.caller;
  const change = { now: call.now, by: user };
  return stores.links.update({ project, code }, changing(request, call, stores, depth), change, state);
};

/** Chooses a link's next state. Undefined for a patch that changes nothing. */
const changing = (
  request: LinkChange['request'],
  call: LinkCaller,
  known: LookupStores,
  depth?: number,
): ChooseNext => {
  // A whole update contains everything to look up, so checks don't wait for the link.
  const checks = depth && typeof request === 'object' ? checkLink(request, call, known) : undefined;
  // A failure is seen when it is awaited.
  checks?.catch(() => undefined);
  return async (link) => {
    const asked = typeof request === 'function' ? request(link) : request;
    refuseFaults(keptFaults(link, asked));
    await checks;
    const { toCheck, isChanged, ...next } = patched(link, asked, call.now, depth);
    if (!checks) await checkLink(toCheck, call, known);
    return checks || isChanged ? next : undefined;
  };
};

/** Faults of a request that would change the code or the status. */
const keptFaults = ({ code, status }: Link, asked: SentLink): Fault[] => [
  ...((asked.code ?? code) === code ? [] : [fault('code', 'keepsCode')]),
  ...((asked.status ?? status) === status ? [] : [fault('status', 'keepsStatus', { status, code })]),
];

/** A link's tags after a change. Throws VALIDATION_ERROR if there are too many. */
const changedTags = ({ tags: before = [] }: Link, { addTags, removeTags }: SentLink): readonly string[] => {
  const tags = [...new Set([...before, ...(addTags ?? [])])].filter((tag) => !removeTags?.includes(tag));
  const { tagsPerLink: count } = limits;
  if (tags.length > count) refuseFaults([fault('tags', 'tooManyItems', { count })]);
  return tags;
};

/**
 * Merges a request into a link. Returns the next link, the apps to save with it, and the part to check against stored
 * data (`toCheck`). Throws VALIDATION_ERROR for faults that only the merged link shows.
 */
export const patched = (link: Link, patch: SentLink, now: Date, depth?: number) => {
  const before = ownContent(link);
  const whole = patch.addTags || patch.removeTags ? { ...patch, tags: changedTags(link, patch) } : patch;
  const { payload: draft, ...own } = mergePatch(before, whole, depth) as LinkDraft;
  const fields = normalizedFields(own);
  const named = patch.payload ?? {};
  const saved = appSections.map(({ name }) => name).filter((name) => named[name]?.saveApp);
  refuseFaults([
    // Checks that depend on unchanged fields.
    ...('rules' in named || 'link' in named ? hostFaults(draft) : []),
    ...wholeFaults({ campaign: named.campaign && draft.campaign, data: named.data && draft.data }),
    ...saved.flatMap((name) => savingFaults(name, draft[name])),
  ]);
  if (named.data && Object.keys(draft.data ?? {}).length === 0) delete draft.data;
  const { payload, apps } = extractSavedApps(draft, now);
  const sections = Object.fromEntries(saved.map((name) => [name, draft[name]]));
  // A saved app also changes the payload, which references it.
  const isSame =
    isDeepStrictEqual(payload, link.payload) && isDeepStrictEqual(ownFieldsOf(fields), ownFieldsOf(link));
  return {
    link: { ...link, ...fields, payload: payload as LinkPayload },
    apps,
    toCheck: { payload: { ...named, ...sections }, expiresAt: patch.expiresAt },
    isChanged: !isSame,
  };
};
