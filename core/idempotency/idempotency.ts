import type { CallRecord, idempotencyStore, Made, ResultRecord } from './idempotency-store.ts';
import type { IdempotentCall } from './idempotent-call.ts';

/** A call that makes many things, each of them once. */
interface Many {
  /** What earlier calls have made already, by position. */
  readonly known: ReadonlyMap<number, Made>;
  readonly recordOf: (position: number) => ResultRecord | undefined;
  /** What another call has made at a position in the meantime. */
  readonly recall: (position: number) => Promise<Made | undefined>;
}

/** What an endpoint needs so that a client can repeat a call. */
export interface Idempotency {
  /** Whether an earlier call with the key has made something: the response repeats it. */
  readonly isRepeated: boolean;
  /** Makes one thing, or finds what the same call made before. */
  once(make: (record: ResultRecord | undefined) => Promise<Made>): Promise<Made>;
  /** Begins a call that makes many. `mayBegin` throws if a first call is not allowed; a repeated one is. */
  many(mayBegin: () => unknown): Promise<Many>;
}

/** A request without an Idempotency-Key: every call makes something new. */
const withoutKey: Idempotency = {
  isRepeated: false,
  once: (make) => make(undefined),
  many: async (mayBegin) => {
    mayBegin();
    return { known: new Map(), recordOf: () => undefined, recall: async () => undefined };
  },
};

export const idempotencyOf = (
  store: ReturnType<typeof idempotencyStore>,
  call: IdempotentCall | undefined,
  now: Date,
): Idempotency => {
  if (!call) return withoutKey;
  let isRepeated = false;
  const find = async (): Promise<CallRecord | undefined> => {
    const callRecord = await store.find(call, now);
    isRepeated ||= callRecord !== undefined;
    return callRecord;
  };
  return {
    get isRepeated() {
      return isRepeated;
    },

    async once(make) {
      const known = await find();
      if (known) return known.made;
      try {
        return await make({ call, now });
      } catch (error) {
        // Another call with the key may have been faster, or the response to our write was lost.
        const other = await find();
        if (other) return other.made;
        throw error;
      }
    },

    async many(mayBegin) {
      let callRecord = await find();
      if (!callRecord) mayBegin();
      callRecord ??= (await store.begin(call, now)) ?? (await find());
      if (!callRecord) throw new Error('What a call with this key began was forgotten at once');
      const items = () => store.items(call, callRecord);
      return {
        known: isRepeated ? await items() : new Map(),
        recordOf: (position) => ({ call, callRecord, position }),
        recall: async (position) => (await items()).get(position),
      };
    },
  };
};
