import { UsageError } from '../ops/base/operator-error.ts';
import type { StartOptions } from '../ops/command-line/repository.ts';

export interface Flags {
  readonly apiPort: number;
  readonly shortPort: number;
  /** The console's port; undefined: the default one, or another if that is busy. */
  readonly consolePort: number | undefined;
  readonly data: string;
  readonly memory: boolean;
  /** Whether to create a project with a year of clicks. */
  readonly demo: boolean;
  /** Whether to reload after changes of the sources. */
  readonly watch: boolean;
  /** Whether members can sign in with a provider on this machine. */
  readonly signIn: boolean;
  readonly engine: NonNullable<StartOptions['engine']>;
  /** Whether links may lead to localhost. A flag and not context, so that no template can allow it. */
  readonly localDestinations: boolean;
  /** Milliseconds for which functions cache hosts and takedowns; undefined: their own times. Also not context. */
  readonly localMemoryMs: number | undefined;
  readonly context: Readonly<Record<string, string>>;
}

/** The regions of a stack with a second one. */
export const regions = { region: 'us-east-1', standby: 'us-west-2' };

/** Completes the flags. Throws UsageError for an invalid local context value. */
export const flagsOf = ({ context: pairs, ...given }: StartOptions): Flags => {
  const { localDestinations = 'false', localMemoryMs, ...context } = Object.fromEntries(pairs);
  if (given.signIn && context.signIn !== undefined)
    throw new UsageError('--sign-in brings an identity provider of its own: leave out -c signIn');
  return {
    ...given,
    apiPort: given.apiPort ?? 8787,
    shortPort: given.shortPort ?? 8788,
    memory: given.memory ?? false,
    demo: given.demo ?? false,
    watch: given.watch ?? false,
    signIn: given.signIn ?? false,
    engine: given.engine ?? 'sqlite',
    localDestinations: flag('localDestinations', localDestinations),
    localMemoryMs: localMemoryMs === undefined ? undefined : milliseconds('localMemoryMs', localMemoryMs),
    context: given.standby ? { ...regions, ...context } : context,
  };
};

const flag = (key: string, text: string): boolean => {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new UsageError(`-c ${key} must be true or false, not '${text}'`);
};

const milliseconds = (key: string, text: string): number => {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new UsageError(`-c ${key} must be a number of milliseconds up to 999999, not '${text}'`);
};
