import type { ComponentChildren } from 'preact';
import type { Progress } from '../../ops/console/progress.ts';
import { number } from '../format.ts';
import type { Called } from '../use-call.ts';
import { Fault } from './notice.tsx';

/** How far long work is. */
export const Working = ({ what, progress }: { what: string; progress?: Progress | undefined }) => (
  <div class="working" role="status">
    <span>
      {what}
      {progress && ` · ${saidOf(progress)}`} …
    </span>
    <progress
      aria-label={what}
      value={progress?.of === undefined ? undefined : progress.done}
      max={progress?.of}
    />
  </div>
);

const saidOf = ({ done, of, text }: Progress): string =>
  text ?? (of === undefined ? number(done ?? 0) : `${number(done ?? 0)} of ${number(of)}`);

interface LoadedProps<Data> {
  readonly from: Called<Data>;
  readonly what: string;
  readonly children: (data: Data) => ComponentChildren;
}

/** What a call brought, or how far it is, or why it failed and how to try again. */
export const Loaded = <Data,>({ from, what, children }: LoadedProps<Data>) => {
  const { data, error, loading, progress, reload } = from;
  return (
    <>
      {error !== undefined && (
        <Fault>
          <p>{error}</p>
          <button type="button" onClick={reload}>
            Try again
          </button>
        </Fault>
      )}
      {loading && (data === undefined || progress) && <Working what={what} progress={progress} />}
      {data !== undefined && error === undefined && (
        <div class={loading ? 'stale' : undefined} aria-busy={loading}>
          {children(data)}
        </div>
      )}
    </>
  );
};
