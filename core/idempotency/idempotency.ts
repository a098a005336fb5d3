import type { CallRecord, idempotencyStore, Made, ResultRecord } from './idempotency-store.ts';
import type { IdempotentCall } from './idempotent-call.ts';

/** A bulk call, which creates each thing once. */
interface Many {
  /** Results of earlier attempts, by position. */
  readonly known: ReadonlyMap<number, Made>;
  readonly recordOf: (position: number) => ResultRecord | undefined;
  /** A concurrent call's result at a position. */
  readonly recall: (position: number) => Promise<Made | undefined>;
}

/** Makes an endpoint's call repeatable. */
export interface Idempotency {
  /** Whether the response repeats the result of an earlier call with the key. */
  readonly isRepeated: boolean;
  /** Creates one thing, or returns the result of an earlier call. */
  once(make: (record: ResultRecord | undefined) => Promise<Made>): Promise<Made>;
  /** Begins a bulk call. `mayBegin` throws if a first call isn't allowed; repeated ones always are. */
  many(mayBegin: () => unknown): Promise<Many>;
}

/** Without an Idempotency-Key, every call creates something new. */
export const withoutKey: Idempotency = {
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
