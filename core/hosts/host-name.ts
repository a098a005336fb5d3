import { isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { Failure } from '../base/failure.ts';

const hostPattern = /^(?=.{1,259}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{1,63}(:\d{1,5})?$/;

const refused = (message: string) => new Failure('VALIDATION_ERROR', message);

/** The host in a text, which is often its address. Throws VALIDATION_ERROR for the address of a page. */
export const hostIn = (text: string): string => {
  const host = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
  const alone = asciiHost(host.split(/[/?#]/, 1)[0] ?? '');
  if (/[/?#]/.test(host) && hostPattern.test(alone))
    throw refused(`'${text}' is an address. Did you mean '${alone}'?`);
  return asciiHost(host);
};

/** A host name in a text. Throws VALIDATION_ERROR otherwise. */
export const requireHost = (text: string): string => {
  const host = hostIn(text);
  if (hostPattern.test(host)) return host;
  throw refused(`'${text}' can't be a host name: give one such as go.example.com`);
};

/**
 * A host name that a project may be given. Throws VALIDATION_ERROR for an IP address, because CloudFront accepts only
 * names, unless it is the shared host, as on the local stack; and for a port that browsers leave out.
 */
export const requireNewHost = (text: string, sharedHost: string): string => {
  if (isIpAddress(hostIn(text)) && hostIn(text) !== sharedHost)
    throw refused(`'${text}' is an IP address: assign a host name such as go.example.com`);
  const host = requireHost(text);
  const [, port] = /:(\d+)$/.exec(host) ?? [];
  if (port === undefined) return host;
  if ([80, 443].includes(Number(port))) throw refused(`The host '${host}' has a default port: leave it out`);
  if (Number(port) < 1 || Number(port) > 65_535)
    throw refused(`'${host}' can't be a host name: a port is a number from 1 to 65535`);
  return host;
};

/** Also true for hosts that end in a number, which browsers parse as IPv4 addresses. */
const isIpAddress = (host: string): boolean =>
  /(^|\.)(\d+|0x[\da-f]*)(:\d+)?$/.test(host) || isIPv6(host.replace(/^\[(.*)\](:\d+)?$/, '$1'));

/** A host in DNS form: without umlauts and a final dot. */
const asciiHost = (text: string): string => {
  const [, name = '', port = ''] = /^(.*?)(:\d+)?$/s.exec(text) ?? [];
  const isAscii = /^[\0-\x7f]*$/.test(name);
  return `${((isAscii ? '' : domainToASCII(name)) || name).replace(/\.$/, '')}${port}`;
};
