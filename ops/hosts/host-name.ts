import { domainToASCII } from 'node:url';
import { UsageError } from '../base/operator-error.ts';

export const hostPattern = /^(?=.{1,259}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{1,63}(:\d{1,5})?$/;

/** The host in a text, which is often its address. Throws UsageError for the address of a page. */
export const hostIn = (text: string): string => {
  const host = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
  const alone = asciiHost(host.split(/[/?#]/, 1)[0] ?? '');
  if (/[/?#]/.test(host) && hostPattern.test(alone))
    throw new UsageError(`'${text}' is an address. Did you mean '${alone}'?`);
  return asciiHost(host);
};

/** A host in DNS form: without umlauts and a final dot. */
const asciiHost = (text: string): string => {
  const [, name = '', port = ''] = /^(.*?)(:\d+)?$/s.exec(text) ?? [];
  const isAscii = /^[\0-\x7f]*$/.test(name);
  return `${((isAscii ? '' : domainToASCII(name)) || name).replace(/\.$/, '')}${port}`;
};
