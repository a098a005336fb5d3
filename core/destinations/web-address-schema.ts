import { limits } from '../base/limits.ts';
import { faultMessage } from '../base/messages.ts';
import { wellFormed } from '../base/schema.ts';
import { answeredBytes } from '../base/text-size.ts';
import { webAddressFault } from './web-address.ts';

/** Terminals may take them for commands. */
const moreControls = /[\x80-\x9f]/;

/** An absolute http(s) address of a public host, kept as it was sent. */
export const webAddress = wellFormed(limits.url)
  .superRefine((address, context) => {
    // Stored ones still lead where they did: browsers get them encoded.
    const fault = webAddressFault(address) ?? (moreControls.test(address) ? 'controlCharacters' : undefined);
    const tooLarge = sizeOf(address) > limits.addressBytes;
    if (fault) context.addIssue({ code: 'custom', message: faultMessage(fault) });
    else if (tooLarge) {
      context.addIssue({ code: 'custom', message: faultMessage('bytes', { bytes: limits.addressBytes }) });
    }
  })
  .meta({ format: 'uri' });

/** Bytes where it takes most: percent-encoded as a header needs it, or as it was sent in a response of the API. */
const sizeOf = (address: string): number =>
  Math.max(URL.parse(address)?.href.length ?? 0, answeredBytes(address));
