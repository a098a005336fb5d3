import { Bounded } from '../base/bounded.ts';
import type { Rests } from '../base/rests.ts';
import { errorKindOf } from '../table/errors.ts';

interface Copying {
  /** How long a copy answers without a read, about: a fleet must not ask in step. */
  readonly freshMs: number;
  /** How old a copy may be that answers in place of a failed read. */
  readonly oldestMs: number;
  /** How long the table is left alone after a first refusal, at most. */
  readonly firstRestMs: number;
  readonly rests: Rests;
  readonly random: () => number;
  /** Called when a read failed that a copy answers. */
  readonly onCopy?: () => void;
}

interface Copy<Value> {
  readonly value: Value;
  /** From when it was asked on: what changes during the answer may not be in it. */
  readonly asked: number;
  readonly freshUntil: number;
  failures: number;
}

/** Copies that a container keeps of each kind. */
const most = 500;
export const longestRestMs = 2000;

/** Copies of what was read, by name, and the rule by which they answer. */
export const copies = <Value>({ freshMs, oldestMs, firstRestMs, rests, random, onCopy }: Copying) => {
  const known = new Bounded<Copy<Value>>(most);
  const mostFailures = 1 + Math.log2(longestRestMs / firstRestMs);

  const keep = (name: string, value: Value, asked: number): void => {
    const freshUntil = asked + freshMs * (0.8 + 0.4 * random());
    // One response doesn't mean that there is room again: while a fleet asks too much, each of its containers may go on for long.
    const failures = Math.max(0, (known.get(name)?.failures ?? 0) - 1);
    known.set(name, { value, asked, freshUntil, failures });
    rests.end(name);
  };

  const rest = (name: string, copy: Copy<Value>, error: unknown): void => {
    copy.failures = errorKindOf(error) === 'busy' ? Math.min(copy.failures + 1, mostFailures) : mostFailures;
    const left = oldestMs - (Date.now() - copy.asked);
    // The older it is, the sooner it needs an answer.
    rests.begin(name, Math.min(firstRestMs * 2 ** (copy.failures - 1), (left * 2) / 3));
  };

  /** A copy that may still be used, if it says what the caller takes. */
  const usable = (name: string, takes: (value: Value) => boolean): Copy<Value> | undefined => {
    const copy = known.get(name);
    return copy && Date.now() - copy.asked < oldestMs && takes(copy.value) ? copy : undefined;
  };

  return {
    /** Throws what the read throws if no copy can answer. */
    async read(
      name: string,
      ask: (isKnown: boolean) => Promise<Value>,
      takes: (value: Value) => boolean = () => true,
    ): Promise<Value> {
      const asked = Date.now();
      const copy = usable(name, takes);
      if (copy && (asked < copy.freshUntil || rests.has(name))) return copy.value;
      try {
        const value = await ask(copy !== undefined);
        if ((known.get(name)?.asked ?? 0) <= asked) {
          if (freshMs > 0 || takes(value)) keep(name, value, asked);
          else known.delete(name);
        }
        return value;
      } catch (error) {
        const kept = usable(name, takes);
        // It grew too old meanwhile, so this read was a hasty one.
        if (copy && !kept) return this.read(name, ask, takes);
        if (!kept) throw error;
        onCopy?.();
        rest(name, kept, error);
        return kept.value;
      }
    },
  };
};
