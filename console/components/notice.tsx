import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const toast = 'console-toast';

/** Briefly shows that something is done, and announces it to screen readers. */
export const announce = (text: string): void => {
  dispatchEvent(new CustomEvent(toast, { detail: text }));
};

export const Announcement = () => {
  const [text, setText] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (event: Event) => {
      setText(String((event as CustomEvent).detail));
      clearTimeout(timer);
      timer = setTimeout(() => setText(''), 5000);
    };
    addEventListener(toast, show);
    return () => removeEventListener(toast, show);
  }, []);
  return (
    <div class="toast" role="status" aria-live="polite">
      {text !== '' && <p>{text}</p>}
    </div>
  );
};

export const FaultNotice = ({ children }: { children: ComponentChildren }) => (
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
