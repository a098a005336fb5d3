import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { Caller } from '../api/endpoint.ts';
import type { MobileApp } from '../apps/mobile-app.ts';
import { failure } from '../messages.ts';
import { type Project, shortBaseOf } from '../projects/project.ts';
import type { StoredProject } from '../projects/project-store.ts';
import type { Remember } from '../retries/retry.ts';
import { generateCode } from './code-generator.ts';
import { shownAddresses } from './link.ts';
import { checkDraft, type DraftChecks, settlePayload } from './link-draft.ts';
import type { linkDraft } from './link-schema.ts';
import type { linkStore } from './link-store.ts';

/** A request to create a link. */
export type RequestedLink = z.output<typeof linkDraft>;

/** What a creation adds to its request. */
export type MadeLink = Readonly<Record<'id' | 'code' | 'createdAt' | 'base', string>>;

export interface CreationContext {
  readonly caller: Caller;
  readonly now: Date;
  /** Base address of short URLs for projects without a custom host. */
  readonly shortBase: string;
  readonly project: Promise<StoredProject>;
  readonly addressFaults: DraftChecks['addressFaults'];
  readonly findApp: (id: string) => Promise<MobileApp | undefined>;
  /** Throws unless the caller may save apps with links. */
  readonly requireSaving: () => void;
  readonly links: Pick<ReturnType<typeof linkStore>, 'create'>;
}

/** Throws SUBSCRIPTION_REQUIRED. */
export const requireSubscription = ({ subscription }: Project): void => {
  if (subscription === 'active') return;
  throw failure('noSubscription');
};

/** Checks a request against the rest of the world and stores its link, with the apps that it saves. */
export const makeLink = async (
  request: RequestedLink,
  { caller, now, shortBase, project: reading, addressFaults, findApp, requireSaving, links }: CreationContext,
  remember: Remember,
): Promise<MadeLink> => {
  const { payload, apps } = settlePayload(request.payload, randomUUID, now);
  if (apps.length > 0) requireSaving();
  const [project] = await Promise.all([
    reading,
    checkDraft(request, {
      now,
      addressFaults,
      findApp,
    }),
  ]);
  requireSubscription(project);
  const createdAt = now.toISOString();
  const base = shortBaseOf(project, shortBase);
  const madeOf = ({ id, code }: { readonly id: string; readonly code: string }) => ({
    id,
    code,
    createdAt,
    base,
  });
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
  return madeOf(
    await links.create(draft, { project, apps, generateCode, remember: (link) => remember(madeOf(link)) }),
  );
};

/**
 * The response to a creation. The same request and record give the same response, whatever the link is now.
 */
export const createdAnswer = ({ name, payload, expiresAt }: RequestedLink, made: MadeLink) => ({
  id: made.id,
  code: made.code,
  ...(name !== undefined && { name }),
  status: 'ACTIVE' as const,
  createdAt: made.createdAt,
  ...(expiresAt !== undefined && { expiresAt }),
  clickCount: 0,
  ...shownAddresses(made.base, made.code, payload.link),
});
