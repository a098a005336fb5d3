import { eachOf } from '../base/each-of.ts';
import { errorOf, Failure } from '../base/failure.ts';
import { failure } from '../base/messages.ts';
import { errorKindOf } from '../table/errors.ts';

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
    for (const index of chain) results[index] = await createOne(index);
  });
  if (unforeseen !== undefined && !results.some(({ success }) => success)) throw unforeseen;
  return results;
};

export const valueOrFailure = <Value>(read: () => Value): Value | Failure => {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
};
