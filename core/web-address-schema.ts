import * as z from 'zod';
import { limits } from './limits.ts';
import { webAddressFault } from './web-address.ts';

/** An absolute http(s) address of a public host, kept as it was sent. */
export const webAddress = z
  .string()
  .max(limits.url)
  .superRefine((text, context) => {
    const fault = webAddressFault(text);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  })
  .meta({ format: 'uri', examples: ['https://example.com/landing'] });
