import { Icon } from './icon.tsx';
import { announce } from './notice.tsx';

interface CopyButtonProps {
  readonly text: string;
  readonly what: string;
  /** Shows an icon instead of text. */
  readonly isSmall?: boolean;
  readonly words?: string;
}

const copyText = (text: string): Promise<void> =>
  // Without TLS a browser has no clipboard.
  Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
    () => announce('Copied'),
    () => announce('Couldn’t copy: clipboard access is blocked'),
  );

/** Announces a new link, with a button that copies its short URL. */
export const announceLink = (name: string, shortUrl: string): void =>
  announce(`${name} is created`, { label: 'Copy link', run: () => copyText(shortUrl) });

export const CopyButton = ({ text, what, isSmall = false, words = 'Copy' }: CopyButtonProps) => (
  <button
    type="button"
    class={isSmall ? 'quiet small pictured' : 'quiet small'}
    aria-label={`Copy ${what}`}
    title={isSmall ? 'Copy' : undefined}
    onClick={() => copyText(text)}
  >
    {isSmall ? (
      <Icon name="copy" />
    ) : (
      <>
        <Icon name="copy" /> {words}
      </>
    )}
  </button>
);

/** Opens the system's share sheet, if there is one. */
export const ShareButton = ({ url, what }: { url: string; what: string }) =>
  'share' in navigator && matchMedia('(pointer: coarse)').matches ? (
    <button
      type="button"
      class="quiet small pictured"
      aria-label={`Share ${what}`}
      // Closing the sheet rejects, and needs no message.
      onClick={() => navigator.share({ url }).catch(() => undefined)}
    >
      <Icon name="share" />
    </button>
  ) : null;
