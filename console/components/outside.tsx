import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { address } from '../format.ts';

/** Hosts to which nobody is led, and which nobody should open from here. */
export const BlockedHosts = createContext<readonly string[]>([]);

/** An address elsewhere, as browsers ask for it: letters of other scripts can look like those of a host that people know. */
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
