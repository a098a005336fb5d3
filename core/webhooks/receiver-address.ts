import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { invisible } from '../base/invisible.ts';
import { isPublicAddress, webAddressFault } from '../destinations/web-address.ts';

/** The longest address, in characters. */
const receiverUrlLength = 2048;

/** Where receivers may be. The local stack also allows this machine, and addresses without TLS. */
export interface Reach {
  readonly isLocal: boolean;
}

const hiddenEnd = new RegExp(`[${invisible}]$`);

/** The reason why events can't be sent to an address; undefined if they can. Names are checked again when they are resolved. */
export const receiverFault = (text: string, { isLocal }: Reach): string | undefined => {
  const url = URL.parse(text);
  if (text.length > receiverUrlLength) return `it has more than ${receiverUrlLength} characters`;
  if (!url || !['https:', 'http:'].includes(url.protocol)) return "it isn't an https address";
  if (url.username || url.password) return 'it holds a user name or a password';
  if (!isLocal && url.protocol !== 'https:') return "it isn't an https address";
  const fault = hiddenEnd.test(text) ? 'controlCharacters' : webAddressFault(text);
  if (fault === 'privateHost')
    return isLocal && isLoopbackHost(url.hostname) ? undefined : 'its host is not public';
  if (fault === 'controlCharacters')
    return 'it holds control characters, or ends with a space or an invisible character';
  return fault && "it isn't an https address";
};

const isLoopbackHost = (hostname: string): boolean => {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return host === 'localhost' || (isIP(host) !== 0 && isLoopback(host));
};

const isLoopback = (address: string): boolean => /^127\.|^::1$|^::ffff:(127\.|7f)/i.test(address);

/** Whether connections to an IP address are allowed. */
export const mayConnect = (address: string, { isLocal }: Reach): boolean =>
  isIP(address) !== 0 && (isPublicAddress(address) || (isLocal && isLoopback(address)));

/** The error for a host with an address that isn't public; none of its addresses is used. */
export const privateAddress = (host: string) => new Error(`${host} does not lead to a public address`);

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** A host's addresses. Throws unless connections to all of them are allowed. */
export const checkedAddresses = async (
  host: string,
  resolve: Resolve,
  reach: Reach,
): Promise<readonly LookupAddress[]> => {
  const found = await resolve(host);
  if (found.length === 0 || !found.every(({ address }) => mayConnect(address, reach)))
    throw privateAddress(host);
  return found;
};
