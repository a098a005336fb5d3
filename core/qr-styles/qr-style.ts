import * as z from 'zod';
import { limits } from '../base/limits.ts';
import { logoFile } from '../base/logo.ts';
import { faultMessage } from '../base/messages.ts';
import { levels, paleness, qrDefaults } from './qr-options.ts';

const color = (pattern: RegExp, message: string) =>
  z.string().regex(pattern, { message, abort: true }).toLowerCase();

const logo = z
  .string()
  .max(limits.logo, { abort: true })
  .refine((url) => logoFile(url) !== undefined, { message: faultMessage('picture'), abort: true });

/** The look of a project's QR codes and interstitial pages. Null, like a field left out, stands for the default. */
export const qrStyle = z
  .object({
    color: color(/^[\da-fA-F]{6}$/, faultMessage('color'))
      .nullable()
      .default(null),
    background: color(/^(?:[\da-fA-F]{6}|transparent)$/, faultMessage('background'))
      .nullable()
      .default(null),
    level: z.enum(levels).nullable().default(null),
    logo: logo.nullable().default(null),
  })
  .superRefine(({ color, background }, context) => {
    const message = paleness(color ?? qrDefaults.color, background ?? qrDefaults.background);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['color'], message });
  });

export type QrStyle = z.output<typeof qrStyle>;
