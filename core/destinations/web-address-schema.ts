import { invisible } from '../base/invisible.ts';
import { limits } from '../base/limits.ts';
import { faultMessage } from '../base/messages.ts';
import { wellFormed } from '../base/schema.ts';
import { answeredBytes } from '../base/text-size.ts';
import { parseHttpUrl, webAddressFault } from './web-address.ts';

/** Control characters that terminals may interpret, and an end that nobody sees. */
const hidden = new RegExp(`[\\x80-\\x9f]|[${invisible}]$`);

/** Browsers read a backslash before the query as a slash; other programs take the host from what follows it. */
const ambiguous = /^[^?#]*\\/;

/** An absolute http(s) address of a public host, stored as it was sent. */
export const webAddress = wellFormed(limits.url)
  .superRefine((address, context) => {
    // Addresses stored earlier still work: browsers get them encoded.
    const fault =
      webAddressFault(address) ??
      (hidden.test(address) ? 'controlCharacters' : undefined) ??
      (ambiguous.test(address) ? 'backslash' : undefined);
    const tooLarge = sizeOf(address) > limits.addressBytes;
    if (fault)
      context.addIssue({
        code: 'custom',
        message: faultMessage(fault, { host: parseHttpUrl(address)?.hostname ?? '' }),
      });
    else if (tooLarge) {
      context.addIssue({ code: 'custom', message: faultMessage('bytes', { bytes: limits.addressBytes }) });
    }
  })
  .meta({ format: 'uri' });

/** An address's largest size in bytes: percent-encoded in a header, or as sent in an API response. */
const sizeOf = (address: string): number =>
  Math.max(URL.parse(address)?.href.length ?? 0, answeredBytes(address));
