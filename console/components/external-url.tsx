import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { address } from '../format.ts';

/** Blocked destinations, which the console doesn't link to either. */
export const BlockedHosts = createContext<readonly string[]>([]);

/** An external address in ASCII, because letters of other scripts can imitate a known host. */
export const Outside = ({ href }: { href: string }) => {
  const blocked = useContext(BlockedHosts);
  const url = URL.parse(href);
  if (!url) return <span>{href}</span>;
  if (blocked.includes(url.hostname.replace(/\.+$/, '')))
    return (
      <span>
        {address(url.href)} <span class="badge blocked">Blocked destination</span>
      </span>
    );
  return (
    <a href={url.href} target="_blank" rel="noreferrer nofollow">
      {address(url.href)}
    </a>
  );
};
