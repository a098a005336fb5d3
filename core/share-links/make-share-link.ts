import { randomUUID } from 'node:crypto';
import type { Publishable } from '../api-keys/api-key.ts';
import type { Caller } from '../api-keys/caller.ts';
import { dayMs } from '../base/durations.ts';
import { Failure, type Fault, refuseFaults } from '../base/failure.ts';
import { failure, fault, invalidApiKey } from '../base/messages.ts';
import { statusAt } from '../links/link.ts';
import { checkReferences, type LookupStores, lookUpReferences } from '../links/link-draft.ts';
import { segmentAt } from '../links/link-list.ts';
import { requireSubscription } from '../links/make-link.ts';
import type { LinkPayload } from '../links/payload-fields.ts';
import { shortBaseOf } from '../projects/project.ts';
import type { StoredProject } from '../projects/project-store.ts';
import { ConditionFailed } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import type { SharedContent, shareLinkStore } from './share-link-store.ts';
import { type ShareRequest, sharedPayload } from './share-request.ts';
import { contentId, type ShareTemplate } from './share-template.ts';
import { readShareTemplate } from './share-template-schema.ts';

export interface ShareCall {
  readonly caller: Pick<Caller, 'project' | 'keyId'>;
  readonly now: Date;
  readonly shortBase: string;
  readonly shortHosts: readonly string[];
}

interface ShareStores extends LookupStores {
  readonly projects: { readonly get: (project: string) => Promise<StoredProject> };
  readonly shareLinks: Pick<ReturnType<typeof shareLinkStore>, 'key' | 'find' | 'create'>;
}

/**
 * The share link of a request: the one that an equal request made before, while it is active and has more than a quarter
 * of its days left, or a new one. Throws the API's failures.
 */
export const makeShareLink = async (request: ShareRequest, call: ShareCall, stores: ShareStores) => {
  const { caller, now, shortBase } = call;
  const [key, project] = await Promise.all([
    stores.shareLinks.key(caller.keyId),
    stores.projects.get(caller.project),
  ]);
  // The gateway may admit a key for a minute after it was revoked.
  if (!key) throw invalidApiKey();
  const template = templateOf(key.share);
  const payload = sharedPayload(template, request);
  const id = contentId(caller.keyId, template.tags, payload);
  const { link, isNew } = await untilMet(async () => {
    const read = await stores.shareLinks.find(project.id, id);
    const standing = standingOf(read, template, now);
    if (standing) return { link: standing, isNew: false };
    await checkTemplate(payload, request, call, stores);
    requireSubscription(project);
    const createdAt = now.toISOString();
    const draft = {
      ...{ id: randomUUID(), project: project.id, status: 'ACTIVE' as const, payload },
      ...(template.tags.length > 0 && { tags: template.tags }),
      expiresAt: new Date(now.getTime() + template.expiresInDays * dayMs).toISOString(),
      ...{ createdAt, updatedAt: createdAt, createdBy: caller.keyId, shareKey: caller.keyId },
      segment: segmentAt(project, createdAt),
    };
    const made = await stores.shareLinks.create(draft, read, { project, maxLinks: template.maxLinks });
    // Another equal request was faster: its link is the answer.
    if (!made) throw new ConditionFailed(undefined);
    return { link: made, isNew: true };
  });
  const shortUrl = `${shortBaseOf(project, shortBase)}/${link.code}`;
  const { code, expiresAt = null } = link;
  return { code, shortUrl, link: link.payload.link, expiresAt, isNew };
};

/** A key's template. Throws VALIDATION_ERROR of `template` for one that an earlier version accepted, and this doesn't. */
const templateOf = ({ template }: Publishable): ShareTemplate => {
  try {
    return readShareTemplate(JSON.parse(template));
  } catch (error) {
    if (error instanceof Failure) refuseFaults([templateFault(error.faults)]);
    throw error;
  }
};

const templateFault = (faults: readonly Fault[]): Fault =>
  fault('template', 'templateFault', {
    reasons: faults.map(({ field, message }) => `${field} ${message}`.trim()).join(', '),
  });

/** The content's present link, if it is the answer. Throws BAD_REQUEST if somebody has paused or blocked it. */
const standingOf = ({ link }: SharedContent, { expiresInDays }: ShareTemplate, now: Date) => {
  if (!link) return undefined;
  const status = statusAt(link, now);
  if (link.blockedAt !== undefined || status === 'PAUSED') throw failure('notAvailable');
  if (status !== 'ACTIVE') return undefined;
  const leftMs = link.expiresAt === undefined ? Infinity : Date.parse(link.expiresAt) - now.getTime();
  return leftMs > (expiresInDays * dayMs) / 4 ? link : undefined;
};

/** Throws VALIDATION_ERROR for apps and hosts that a link can't have any more: mostly the template's, not the request's. */
const checkTemplate = async (
  payload: LinkPayload,
  request: ShareRequest,
  call: ShareCall,
  stores: LookupStores,
): Promise<void> => {
  try {
    checkReferences({ payload }, await lookUpReferences([{ payload }], call, stores));
  } catch (error) {
    if (!(error instanceof Failure) || error.faults.length === 0) throw error;
    const isOwn = (field: string) => field === 'payload.social.image' && request.social?.image;
    const own = error.faults.filter(({ field }) => isOwn(field));
    const others = error.faults.filter(({ field }) => !isOwn(field));
    refuseFaults([
      ...own.map(({ message }) => ({ field: 'social.image', message })),
      ...(others.length > 0 ? [templateFault(others)] : []),
    ]);
  }
};
