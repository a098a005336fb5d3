import { limits } from '../limits.ts';
import { text } from '../schema.ts';
import { webAddressFault } from './web-address.ts';

/** An absolute http(s) address of a public host, kept as it was sent. */
export const webAddress = text(limits.url)
  .superRefine((address, context) => {
    const fault = webAddressFault(address);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  })
  .meta({ format: 'uri' });
