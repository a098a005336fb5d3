import { say } from './notice.tsx';

/** Copies a text to the clipboard. */
export const CopyButton = ({ text, what }: { text: string; what: string }) => (
  <button
    type="button"
    class="quiet small"
    aria-label={`Copy ${what}`}
    onClick={() =>
      navigator.clipboard.writeText(text).then(
        () => say('Copied'),
        () => say('The browser did not let the console copy'),
      )
    }
  >
    Copy
  </button>
);
