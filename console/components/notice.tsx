import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const toast = 'console-toast';

/** What the user can do about an announcement. */
interface ToastAct {
  readonly label: string;
  readonly run: () => unknown;
}

interface Toast {
  readonly text: string;
  readonly act?: ToastAct | undefined;
}

/** Briefly shows that something is done, with a button if there is an act, and announces it to screen readers. */
export const announce = (text: string, act?: ToastAct): void => {
  dispatchEvent(new CustomEvent<Toast>(toast, { detail: { text, act } }));
};

/** An act that puts back what was before. */
export const undo = (work: () => Promise<unknown>): ToastAct => ({
  label: 'Undo',
  run: () =>
    work().then(
      () => announce('It is as before'),
      ({ message }: Error) => announce(message),
    ),
});

export const Announcement = () => {
  const [shown, setShown] = useState<Toast>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (event: Event) => {
      const { detail } = event as CustomEvent<Toast>;
      setShown(detail);
      clearTimeout(timer);
      timer = setTimeout(() => setShown(undefined), detail.act ? 10_000 : 5000);
    };
    addEventListener(toast, show);
    return () => removeEventListener(toast, show);
  }, []);
  return (
    <div class="toast" role="status" aria-live="polite">
      {shown && (
        <p>
          {shown.text}
          {shown.act && (
            <button
              type="button"
              class="small"
              onClick={() => {
                setShown(undefined);
                shown.act?.run();
              }}
            >
              {shown.act.label}
            </button>
          )}
        </p>
      )}
    </div>
  );
};

/** Nothing without a fault. */
export const FaultNotice = ({ children }: { children: ComponentChildren }) =>
  children === undefined ? null : (
    <div class="notice fault" role="alert">
      {children}
    </div>
  );

export const Hint = ({ children }: { children: ComponentChildren }) => <div class="notice">{children}</div>;

/** Notes about a whole file. */
export const Notes = ({ texts }: { texts: readonly string[] }) => (
  <>
    {texts.map((text) => (
      <Hint key={text}>{text}</Hint>
    ))}
  </>
);

/** Likely mistakes. */
export const Warnings = ({ texts }: { texts: readonly string[] }) =>
  texts.length === 0 ? null : (
    <div class="notice warn stack">
      <h3>Worth a look</h3>
      <ul class="bullets">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );

/** A view's text when there is nothing to show yet. */
export const Empty = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
);
