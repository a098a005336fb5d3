import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { failure } from '../base/messages.ts';
import type { Caller } from '../keys/caller.ts';
import { type Project, shortBaseOf } from '../projects/project.ts';
import type { StoredProject } from '../projects/project-store.ts';
import type { Remember } from '../retries/retry.ts';
import { generateCode } from './code-generator.ts';
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
  /** For how many links the project has room; none if that is not limited. */
  readonly room?: Room | undefined;
  readonly links: Pick<ReturnType<typeof linkStore>, 'create'>;
}

/** For how many links a project has room. A call that creates several uses it up. */
export interface Room {
  readonly limit: number;
  left: number;
}

/** Makes a link if there is room for one. Throws LIMIT_REACHED. */
const within = async <Value>(room: Room | undefined, make: () => Promise<Value>): Promise<Value> => {
  if (!room) return make();
  if (room.left <= 0) throw failure('tooManyLinks', { limit: room.limit });
  room.left -= 1;
  try {
    return await make();
  } catch (error) {
    room.left += 1;
    throw error;
  }
};

/** Throws SUBSCRIPTION_REQUIRED. */
export const requireSubscription = ({ subscription }: Project): void => {
  if (subscription !== 'active') throw failure('noSubscription');
};

/** Checks what a request names, and stores its link with the apps that it saves. */
export const makeLink = async (
  request: RequestedLink,
  { caller, now, shortBase, project, surroundings, room, links }: CreationContext,
  remember: Remember,
): Promise<MadeLink> => {
  checkNamed(request, surroundings);
  requireSubscription(project);
  const { payload, apps } = settlePayload(request.payload, randomUUID, now);
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
  const creation = { project, apps, generateCode, remember: (link: Link) => remember(madeOf(link)) };
  return madeOf(await within(room, () => links.create(draft, creation)));
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
