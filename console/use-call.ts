import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Progress } from '../ops/console/progress.ts';
import { call, type Input, type Name, type Output } from './client.ts';

export interface Called<Data> {
  /** The last data of this call, also while newer data is on its way. */
  readonly data?: Data | undefined;
  readonly error?: string | undefined;
  readonly loading: boolean;
  readonly progress?: Progress | undefined;
  readonly reload: () => void;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

interface State<Data> {
  readonly about?: string;
  readonly data?: Data | undefined;
  readonly error?: string;
  readonly progress?: Progress;
  readonly loading: boolean;
}

/**
 * Makes a call whenever its input changes. Data stays on show while the input changes within `subject`, so that a
 * list does not blink; of another subject nothing old is shown.
 */
export const useCall = <N extends Name>(name: N, input: Input<N>, subject = ''): Called<Output<N>> => {
  const [state, setState] = useState<State<Output<N>>>({ loading: true });
  const [round, setRound] = useState(0);
  const asked = JSON.stringify(input);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const update = (next: Partial<State<Output<N>>>) =>
      signal.aborted || setState((before) => ({ ...before, ...next }));
    setState((before) => ({
      loading: true,
      about: subject,
      ...(before.about === subject && { data: before.data }),
    }));
    call(name, JSON.parse(asked) as Input<N>, {
      signal,
      onProgress: (progress) => update({ progress }),
    }).then(
      (data) => update({ data, loading: false }),
      (error: unknown) => update({ error: messageOf(error), loading: false }),
    );
    return () => leaving.abort();
  }, [name, asked, subject, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, reload };
};

/** Something that a person starts. */
export interface Action {
  readonly busy: boolean;
  readonly error?: string | undefined;
  readonly progress?: Progress | undefined;
  run(work: (onProgress: (progress: Progress) => void) => Promise<unknown>): void;
}

export const useAction = (): Action => {
  const [state, setState] = useState<Omit<Action, 'run'>>({ busy: false });
  const run: Action['run'] = (work) => {
    setState({ busy: true });
    work((progress) => setState({ busy: true, progress })).then(
      () => setState({ busy: false }),
      (error: unknown) => setState({ busy: false, error: messageOf(error) }),
    );
  };
  return { ...state, run };
};
