import type { ComponentChildren } from 'preact';
import type { TransferProgress } from '../../ops/console-server/progress.ts';
import type { CallState } from '../calls/use-call.ts';
import { number } from '../format.ts';
import { A, hrefOf, usePlace } from '../router.tsx';
import { FaultNotice } from './notice.tsx';

/** The progress of long work. */
export const Working = ({ what, progress }: { what: string; progress?: TransferProgress | undefined }) => (
  <div class="working" role="status">
    <span>
      {what}
      {progress && ` · ${textOf(progress)}`} …
    </span>
    <progress
      aria-label={what}
      value={progress?.of === undefined ? undefined : progress.done}
      max={progress?.of}
    />
  </div>
);

const textOf = ({ done, of, text }: TransferProgress): string =>
  text ?? (of === undefined ? number(done ?? 0) : `${number(done ?? 0)} of ${number(of)}`);

const lists: Readonly<Record<string, string>> = {
  links: 'All links',
  apps: 'All apps',
  webhooks: 'All webhooks',
};

/** A link to the list that a view's subject belongs to. */
const Up = () => {
  const [root, project, section = '', one] = usePlace().path;
  if (root !== 'p' || project === undefined) return null;
  const list = one === undefined ? undefined : lists[section];
  return (
    <A
      class="button"
      href={list ? hrefOf(['p', project, ...(section === 'links' ? [] : [section])]) : hrefOf([])}
    >
      {list ?? 'All projects'}
    </A>
  );
};

interface LoadedProps<Data> {
  readonly from: CallState<Data>;
  readonly what: string;
  readonly children: (data: Data) => ComponentChildren;
}

/** A call's data, its progress, or its failure with a button to retry. */
export const Loaded = <Data,>({ from, what, children }: LoadedProps<Data>) => {
  const { data, error, loading, progress, reload } = from;
  return (
    <>
      {error !== undefined && (
        <FaultNotice>
          <p>{error}</p>
          <p class="buttons">
            <button type="button" onClick={reload}>
              Try again
            </button>
            <Up />
          </p>
        </FaultNotice>
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
