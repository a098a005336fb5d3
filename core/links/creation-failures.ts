import { Failure, failureIn, valueOrFailure } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { failure } from '../base/messages.ts';
import { checkReferences, extractSavedApps, type LinkDraft } from './link-draft.ts';
import type { linkStore } from './link-store.ts';
import { refuseManyTags } from './link-tags.ts';
import { type CreationContext, requireRoom, requireSubscription } from './make-link.ts';

/**
 * The failures that `makeLink` would throw now for each request on its own, without writing. For a repeated code, the
 * first valid request gets it. Subscription and number of links are checked last.
 */
export const creationFailures = async (
  requests: readonly (LinkDraft | Failure)[],
  context: CreationContext & { readonly links: Pick<ReturnType<typeof linkStore>, 'room'> },
): Promise<(Failure | undefined)[]> => {
  const { project, references, links, now, needsSubscription = true } = context;
  const codes = requests.flatMap((one) => (one instanceof Failure ? [] : (one.code ?? [])));
  const [room, full] = await Promise.all([
    links.room(project.id, codes),
    requireRoom(context).catch(failureIn),
  ]);
  /** Codes of valid earlier requests. */
  const given = new Set<string | undefined>();
  const refuse = (request: LinkDraft): undefined => {
    checkReferences(request, references);
    refuseManyTags(request.tags ?? [], room.tags);
    if (given.has(request.code)) throw failure('codeRepeated');
    if (request.code !== undefined && room.taken.has(request.code)) throw failure('codeTaken');
    const { apps } = extractSavedApps(request.payload, now);
    if (room.apps + apps.length > limits.appsPerProject) throw failure('tooManyApps');
    if (needsSubscription) requireSubscription(project);
    if (full) throw full;
    if (request.code !== undefined) given.add(request.code);
  };
  return requests.map((one) => (one instanceof Failure ? one : valueOrFailure(() => refuse(one))));
};
