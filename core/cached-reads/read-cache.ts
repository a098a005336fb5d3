import type { Backoffs } from '../base/backoffs.ts';
import { Bounded } from '../base/bounded.ts';
import { errorKindOf } from '../table/errors.ts';

interface CacheOptions {
  /** The approximate time for which a copy is used without a read; randomized, so that containers don't read in step. */
  readonly freshMs: number;
  /** The greatest age of a copy that replaces a failed read. */
  readonly oldestMs: number;
  /** The longest back-off after a first failure. */
  readonly firstBackoffMs: number;
  readonly backoffs: Backoffs;
  readonly random: () => number;
  /** Called when a copy replaces a failed read. */
  readonly onCopy?: () => void;
}

interface Copy<Value> {
  readonly value: Value;
  /** Start of the read: later changes may be missing. */
  readonly asked: number;
  readonly freshUntil: number;
  failures: number;
}

/** The most copies of each kind in a container. */
const most = 500;
export const longestBackoffMs = 2000;

/** A cache of reads by name, which also serves stale copies for failed reads. */
export const readCache = <Value>({
  freshMs,
  oldestMs,
  firstBackoffMs,
  backoffs,
  random,
  onCopy,
}: CacheOptions) => {
  const known = new Bounded<Copy<Value>>(most);
  const mostFailures = 1 + Math.log2(longestBackoffMs / firstBackoffMs);

  const keep = (name: string, value: Value, asked: number): void => {
    const freshUntil = asked + freshMs * (0.8 + 0.4 * random());
    // One success doesn't end the overload, so failures only decrease by one.
    const failures = Math.max(0, (known.get(name)?.failures ?? 0) - 1);
    known.set(name, { value, asked, freshUntil, failures });
    backoffs.end(name);
  };

  const backOff = (name: string, copy: Copy<Value>, error: unknown): void => {
    copy.failures = errorKindOf(error) === 'busy' ? Math.min(copy.failures + 1, mostFailures) : mostFailures;
    const left = oldestMs - (Date.now() - copy.asked);
    // Older copies are refreshed sooner.
    backoffs.begin(name, Math.min(firstBackoffMs * 2 ** (copy.failures - 1), (left * 2) / 3));
  };

  /** A copy that isn't too old, with a value that the caller accepts. */
  const usable = (name: string, takes: (value: Value) => boolean): Copy<Value> | undefined => {
    const copy = known.get(name);
    return copy && Date.now() - copy.asked < oldestMs && takes(copy.value) ? copy : undefined;
  };

  return {
    /** A value from a copy or a read. Throws the read's error if no copy can be used. */
    async read(
      name: string,
      ask: (isKnown: boolean) => Promise<Value>,
      takes: (value: Value) => boolean = () => true,
    ): Promise<Value> {
      const asked = Date.now();
      const copy = usable(name, takes);
      if (copy && (asked < copy.freshUntil || backoffs.has(name))) return copy.value;
      try {
        const value = await ask(copy !== undefined);
        if ((known.get(name)?.asked ?? 0) <= asked) {
          if (freshMs > 0 || takes(value)) keep(name, value, asked);
          else known.delete(name);
        }
        return value;
      } catch (error) {
        const kept = usable(name, takes);
        // The copy became too old during a read with a short deadline: read again patiently.
        if (copy && !kept) return this.read(name, ask, takes);
        if (!kept) throw error;
        onCopy?.();
        backOff(name, kept, error);
        return kept.value;
      }
    },
  };
};
