import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { failure } from '../base/messages.ts';
import type { Caller } from '../keys/caller.ts';
import { type Project, shortBaseOf } from '../projects/project.ts';
import type { StoredProject } from '../projects/project-store.ts';
import type { Remember } from '../retries/retry.ts';
import type { Link } from './link.ts';
import { checkNamed, type Surroundings, settlePayload } from './link-draft.ts';
import type { linkDraft } from './link-schema.ts';
import type { linkStore } from './link-store.ts';
import { ownFieldsOf } from './own-fields.ts';
import { shownAddresses } from './shown-link.ts';

/** A request to create a link. */
export type RequestedLink = z.output<typeof linkDraft>;

/** What a creation adds to its request. */
export type MadeLink = Readonly<Record<'id' | 'code' | 'createdAt' | 'base', string>>;

export interface CreationContext {
  readonly caller: Caller;
  readonly now: Date;
  /** Base address of short URLs for projects without a custom host. */
  readonly shortBase: string;
  readonly project: StoredProject;
  readonly surroundings: Surroundings;
  /** The most links that the project may have, if these could be too many. */
  readonly limit?: number | undefined;
  readonly links: Pick<ReturnType<typeof linkStore>, 'count' | 'create'>;
}

/** Throws SUBSCRIPTION_REQUIRED. */
export const requireSubscription = ({ subscription }: Project): void => {
  if (subscription !== 'active') throw failure('noSubscription');
};

/** Checks what a request names, and stores its link with the apps that it saves. Throws LIMIT_REACHED, too. */
export const makeLink = async (
  request: RequestedLink,
  { caller, now, shortBase, project, surroundings, limit, links }: CreationContext,
  remember: Remember,
): Promise<MadeLink> => {
  checkNamed(request, surroundings);
  requireSubscription(project);
  if (limit !== undefined && (await links.count(project.id)) >= limit)
    throw failure('tooManyLinks', { limit });
  const { payload, apps } = settlePayload(request.payload, now);
  const createdAt = now.toISOString();
  const base = shortBaseOf(project, shortBase);
  const madeOf = ({ id, code }: Pick<MadeLink, 'id' | 'code'>) => ({ id, code, createdAt, base });
  const draft = {
    ...request,
    payload,
    id: randomUUID(),
    project: project.id,
    status: 'ACTIVE' as const,
    createdAt,
    updatedAt: createdAt,
    createdBy: caller.user,
  };
  const creation = { project, apps, remember: (link: Link) => remember(madeOf(link)) };
  return madeOf(await links.create(draft, creation));
};

/**
 * The response to a creation. The same request and record give the same response, whatever the link is now.
 */
export const createdAnswer = (request: RequestedLink, made: MadeLink) => ({
  ...ownFieldsOf(request),
  id: made.id,
  code: made.code,
  status: 'ACTIVE' as const,
  createdAt: made.createdAt,
  clickCount: 0,
  ...shownAddresses(made.base, made.code, request.payload.link),
});
