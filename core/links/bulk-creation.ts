import { eachOf } from '../base/each-of.ts';
import { errorOf, Failure } from '../base/failure.ts';
import { failure } from '../base/messages.ts';
import { type Idempotency, withoutKey } from '../idempotency/idempotency.ts';
import type { StoredProject } from '../projects/project-store.ts';
import { errorKindOf } from '../table/errors.ts';
import { creationFailures } from './creation-failures.ts';
import type { LinkDraft } from './link-draft.ts';
import type { linkStore } from './link-store.ts';
import {
  type CreationCall,
  type CreationStores,
  createdResponse,
  creationContext,
  madeOf,
  makeLink,
} from './make-link.ts';

type ItemResult<Link> =
  | { readonly index: number; readonly success: true; readonly link: Link }
  | { readonly index: number; readonly success: false; readonly error: ReturnType<typeof errorOf> };

interface BulkOptions<Item, Link> {
  readonly create: (item: Item, index: number) => Promise<Link>;
  /** Concurrent creations. @default 5: more would collide on the counters of the project's list */
  readonly atOnce?: number | undefined;
  /** Time after which no creation begins, in epoch milliseconds. */
  readonly until: number;
  readonly logUnforeseen: (error: unknown) => void;
}

/** Chains of items with the same code, in order: the first valid one gets it. All other items are chains of one. */
const chainsOf = (items: readonly unknown[]): number[][] => {
  const chains = Map.groupBy(items.keys(), (index) => {
    const { code } = (items[index] ?? {}) as { readonly code?: unknown };
    return typeof code === 'string' ? code : index;
  });
  return [...chains.values()];
};

/** Each draft of a bulk call, or why it couldn't be read. */
type Requests = readonly (LinkDraft | Failure)[];

const draftsOf = (requests: Requests): LinkDraft[] =>
  requests.filter((one): one is LinkDraft => !(one instanceof Failure));

export interface BulkCall
  extends CreationCall,
    Pick<BulkOptions<unknown, unknown>, 'until' | 'logUnforeseen'> {
  readonly project: StoredProject;
  /** The earlier results of a repeated call. */
  readonly repeated?: Awaited<ReturnType<Idempotency['many']>>;
  readonly signal?: AbortSignal;
}

/** Creates links independently; references are read once for all of them. */
export const makeLinks = async (requests: Requests, call: BulkCall, stores: CreationStores) => {
  const { project, until, logUnforeseen, signal, repeated = await withoutKey.many(() => undefined) } = call;
  const { known, recordOf, recall } = repeated;
  const open = draftsOf(requests.filter((_, index) => !known.has(index)));
  const context = await creationContext(call, stores, open, project);
  const create = async (request: LinkDraft | Failure, index: number) => {
    signal?.throwIfAborted();
    if (request instanceof Failure) throw request;
    const earlier = known.get(index);
    if (earlier) return createdResponse(request, earlier);
    try {
      const link = await makeLink(request, context, recordOf(index));
      return createdResponse(request, madeOf(link, context));
    } catch (error) {
      // Another call with the same key may have created it.
      const other = await recall(index);
      if (other) return createdResponse(request, other);
      throw error;
    }
  };
  // Near the limit, links are created in sequence, so that the first valid ones get the last places.
  const atOnce = context.limit === undefined ? undefined : 1;
  return createEach(requests, { create, until, logUnforeseen, atOnce });
};

/** The results that `makeLinks` would have now, without writing. */
export const validateLinks = async (
  requests: Requests,
  call: CreationCall & Pick<BulkCall, 'project'>,
  stores: CreationStores & { readonly links: Pick<ReturnType<typeof linkStore>, 'room'> },
) => {
  const context = await creationContext(call, stores, draftsOf(requests), call.project);
  const failures = await creationFailures(requests, { ...context, links: stores.links });
  return failures.map((failure, index) =>
    failure ? { index, success: false as const, error: errorOf(failure) } : { index, success: true as const },
  );
};

/** Creates items independently, with limited concurrency. Throws only for an internal error if nothing was created. */
export const createEach = async <Item, Link>(
  items: readonly Item[],
  { create, until, logUnforeseen, atOnce = 5 }: BulkOptions<Item, Link>,
): Promise<ItemResult<Link>[]> => {
  const results: ItemResult<Link>[] = [];
  let unforeseen: unknown;
  const failureOf = (error: unknown): Failure => {
    if (errorKindOf(error) === 'busy') return failure('tooBusy');
    if (error instanceof Failure) return error;
    unforeseen = error;
    logUnforeseen(error);
    return failure('internal');
  };
  const createOne = async (index: number): Promise<ItemResult<Link>> => {
    try {
      if (Date.now() >= until) throw failure('noTimeLeft');
      return { index, success: true, link: await create(items[index] as Item, index) };
    } catch (error) {
      return { index, success: false, error: errorOf(failureOf(error)) };
    }
  };
  await eachOf(chainsOf(items), atOnce, async (chain) => {
    let isUsed = false;
    for (const index of chain) {
      const result = await createOne(index);
      const isRepeated = isUsed && !result.success && result.error.code === 'CODE_ALREADY_EXISTS';
      results[index] = isRepeated ? { ...result, error: errorOf(failure('codeRepeated')) } : result;
      isUsed ||= result.success;
    }
  });
  if (unforeseen !== undefined && !results.some(({ success }) => success)) throw unforeseen;
  return results;
};
