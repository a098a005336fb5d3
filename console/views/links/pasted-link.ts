import { useEffect } from 'preact/hooks';
import { callService, client } from '../../calls/client.ts';
import { announceLink } from '../../components/copy.tsx';
import { announce } from '../../components/notice.tsx';
import { hrefOf, navigate } from '../../router.tsx';
import { linesOf, withSchemes } from './pasted-lines.ts';

let kept = '';

/** The addresses that were pasted into a list, once. */
export const takePasted = (): string => {
  const text = kept;
  kept = '';
  return text;
};

/** Makes a link of an address that is pasted outside of fields, and shows it. Several addresses get the form for many. */
export const usePastedLink = (project: string): void =>
  useEffect(() => {
    if (!client().offers('createLink', project)) return undefined;
    let isBusy = false;
    const paste = (event: ClipboardEvent) => {
      if (isBusy || (event.target as Element).closest('input, textarea, select, dialog')) return;
      const text = withSchemes(event.clipboardData?.getData('text').trim() ?? '');
      const lines = linesOf(text);
      const [first] = lines;
      if (!first || !lines.every(({ address }) => /^https?:/i.test(address) && URL.canParse(address))) return;
      event.preventDefault();
      if (lines.length > 1) {
        kept = text;
        return navigate(hrefOf(['p', project, 'links', '~many']));
      }
      isBusy = true;
      const { address, code } = first;
      const name = titleOf(address);
      const link = { ...(code && { code }), name, payload: { link: address } };
      callService('createLink', { project, link })
        .then(
          (made) => {
            announceLink(name, made.shortUrl);
            navigate(hrefOf(['p', project, 'links', made.code]));
          },
          ({ message }: Error) => announce(message),
        )
        .finally(() => {
          isBusy = false;
        });
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, [project]);

/** A name from the last words of an address, such as `Spring sale`, or its host. */
const titleOf = (address: string): string => {
  const { pathname, host } = new URL(address);
  const words = (pathname.split('/').findLast((part) => /\p{L}/u.test(part)) ?? '')
    .replace(/\.\w{2,5}$/, '')
    .replace(/%20|[-_+.]+/g, ' ')
    .trim();
  return words && !words.includes('%') ? words.charAt(0).toUpperCase() + words.slice(1) : host;
};
