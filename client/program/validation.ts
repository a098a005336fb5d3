import type { DynamicLinks } from '../dynamic-links.ts';
import { DynamicLinksError } from '../failures.ts';
import type { LinkDraft } from '../types.ts';
import { linkDraftOf } from './apply.ts';
import { InputError, type WantedLinks } from './link-file.ts';
import type { Step } from './plan.ts';

/** Failures of creations only: existing links may change without a subscription and beyond the limit. */
const ofCreations: readonly string[] = ['SUBSCRIPTION_REQUIRED', 'LIMIT_REACHED'];

/** Errors of services before 1.3.0, which lack `validateOnly` or first require the scope to create links. */
const ofOlderServices: readonly string[] = ['INVALID_PARAMETERS', 'INSUFFICIENT_PERMISSIONS'];

/** The steps of a plan, refused with the reason where the service would refuse. Throws InputError before 1.3.0. */
export const withRefusals = async (
  client: DynamicLinks,
  steps: readonly Step[],
  { links }: WantedLinks,
): Promise<Step[]> => {
  const open = steps.filter(({ action }) => action === 'create' || action === 'update');
  const drafts = open.flatMap(({ action, code }) => {
    const wanted = links.get(code);
    if (!wanted) return [];
    const { code: _, ...content } = linkDraftOf(wanted);
    return [action === 'create' ? linkDraftOf(wanted) : content];
  });
  const validities = await validate(client, drafts);
  const reasons = new Map(
    open.flatMap(({ action, code }, index) => {
      const validity = validities[index];
      if (!validity || validity.success) return [];
      const { error } = validity;
      return action === 'update' && ofCreations.includes(error.code) ? [] : [[code, error.message]];
    }),
  );
  return steps.map((step) => {
    const reason = reasons.get(step.code);
    return reason === undefined ? step : { action: 'refused', code: step.code, owner: step.owner, reason };
  });
};

const validate = async (client: DynamicLinks, drafts: readonly LinkDraft[]) => {
  try {
    return await client.links.validate(drafts);
  } catch (error) {
    if (error instanceof DynamicLinksError && ofOlderServices.includes(error.code))
      throw new InputError(
        'This service is older than 1.3.0 and cannot validate a plan: upgrade it, or use a client of its version',
      );
    throw error;
  }
};
