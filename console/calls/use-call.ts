import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Fault } from '../../core/base/failure.ts';
import type { TransferProgress } from '../../ops/console-server/progress.ts';
import { CallError, type CallInput, type CallOutput, callService, type Name } from './client.ts';

export interface CallState<Data> {
  /** The last data, also while newer data is loading. */
  readonly data?: Data | undefined;
  readonly error?: string | undefined;
  readonly loading: boolean;
  /** Whether the user stopped it before it had all data. */
  readonly stopped?: boolean | undefined;
  readonly progress?: TransferProgress | undefined;
  readonly reload: () => void;
  /** Stops a long call; partial results stay. */
  readonly stop: () => void;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

interface State<Data> {
  readonly about?: string;
  readonly data?: Data | undefined;
  readonly error?: string;
  readonly progress?: TransferProgress;
  readonly loading: boolean;
  readonly stopped?: boolean;
}

/**
 * Makes a call whenever its input changes; none without an input. Old data stays visible while the input changes within
 * `subject`, so that a list doesn't flicker, and goes when the subject changes.
 */
export const useCall = <N extends Name>(
  name: N,
  input: CallInput<N> | undefined,
  subject = '',
): CallState<CallOutput<N>> => {
  const [state, setState] = useState<State<CallOutput<N>>>({ loading: true });
  const [round, setRound] = useState(0);
  const making = useRef<AbortController | undefined>(undefined);
  const asked = input && JSON.stringify(input);
  useEffect(() => {
    if (asked === undefined) return undefined;
    const leaving = new AbortController();
    making.current = leaving;
    const { signal } = leaving;
    const update = (next: Partial<State<CallOutput<N>>>) =>
      signal.aborted || setState((before) => ({ ...before, ...next }));
    setState((before) => ({
      loading: true,
      about: subject,
      ...(before.about === subject && { data: before.data }),
    }));
    callService(name, JSON.parse(asked) as CallInput<N>, {
      signal,
      onProgress: (progress) => update({ progress }),
    }).then(
      (data) => update({ data, loading: false }),
      (error: unknown) => update({ error: messageOf(error), loading: false }),
    );
    return () => leaving.abort();
  }, [name, asked, subject, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const stop = useCallback(() => {
    making.current?.abort();
    setState((before) => ({ ...before, loading: false, stopped: true }));
  }, []);
  return { ...state, reload, stop };
};

/** An action of the user. */
export interface Action {
  readonly busy: boolean;
  readonly error?: string | undefined;
  /** Faults by field. */
  readonly faults: readonly Fault[];
  readonly progress?: TransferProgress | undefined;
  run(work: (onProgress: (progress: TransferProgress) => void) => Promise<unknown>): void;
}

const faultsOf = (error: unknown) => (error instanceof CallError ? error.faults : []);
const idle = { busy: false, faults: [] };

export const useAction = (): Action => {
  const [state, setState] = useState<Omit<Action, 'run'>>(idle);
  const run: Action['run'] = (work) => {
    setState({ ...idle, busy: true });
    work((progress) => setState({ ...idle, busy: true, progress })).then(
      () => setState(idle),
      (error: unknown) => setState({ busy: false, error: messageOf(error), faults: faultsOf(error) }),
    );
  };
  return { ...state, run };
};
