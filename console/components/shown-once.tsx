import { useLayoutEffect, useRef } from 'preact/hooks';
import { CopyButton } from './copy.tsx';

interface ShownOnceProps {
  /** Such as `The new key`. */
  readonly what: string;
  readonly secret: string;
  readonly onDone: () => void;
}

/** A secret that can't be shown again, so it takes the focus. */
export const ShownOnce = ({ what, secret, onDone }: ShownOnceProps) => {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [secret]);
  return (
    <div ref={box} class="notice good stack" role="status" tabIndex={-1}>
      <p>
        <b>{what}.</b> Copy it now: it is shown this once.
      </p>
      <p class="secret">
        <code>{secret}</code>
      </p>
      <div class="buttons start">
        <CopyButton text={secret} what={what} />
        <button type="button" class="small" onClick={onDone}>
          Done
        </button>
      </div>
    </div>
  );
};
