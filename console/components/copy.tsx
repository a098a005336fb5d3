import { Icon } from './icon.tsx';
import { say } from './notice.tsx';
import { SmallIcon } from './small-icon.tsx';

interface CopyButtonProps {
  readonly text: string;
  readonly what: string;
  /** Shows a picture in place of the word. */
  readonly isSmall?: boolean;
}

/** Copies a text to the clipboard. */
export const CopyButton = ({ text, what, isSmall = false }: CopyButtonProps) => (
  <button
    type="button"
    class={isSmall ? 'quiet small pictured' : 'quiet small'}
    aria-label={`Copy ${what}`}
    title={isSmall ? 'Copy' : undefined}
    onClick={() =>
      navigator.clipboard.writeText(text).then(
        () => say('Copied'),
        () => say('The browser did not let the console copy'),
      )
    }
  >
    {isSmall ? (
      <SmallIcon name="copy" />
    ) : (
      <>
        <Icon name="copy" /> Copy
      </>
    )}
  </button>
);

/** Opens the system's share sheet, where there is one. */
export const ShareButton = ({ url, what }: { url: string; what: string }) =>
  'share' in navigator && matchMedia('(pointer: coarse)').matches ? (
    <button
      type="button"
      class="quiet small pictured"
      aria-label={`Share ${what}`}
      // Who closes the sheet shares nothing, and knows it.
      onClick={() => navigator.share({ url }).catch(() => undefined)}
    >
      <SmallIcon name="share" />
    </button>
  ) : null;
