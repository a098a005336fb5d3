import * as z from 'zod';
import { limits } from '../base/limits.ts';
import { faultMessage } from '../base/messages.ts';
import { pictureType } from '../base/picture.ts';
import { levels, paleness, qrDefaults } from '../pages/qr-options.ts';

const color = (pattern: RegExp, message: string) =>
  z.string().regex(pattern, { message, abort: true }).toLowerCase();

/** Media type, encoding and data of a picture's data URL, in ASCII. Browsers end it at a `#`. */
const dataUrl = /^data:(image\/(?:png|jpeg|svg\+xml))(?:;charset=utf-8|;utf8)?(;base64)?,([!"$-~ ]+)$/;

const isPicture = (url: string): boolean => {
  const [, type, base64, data = ''] = dataUrl.exec(url) ?? [];
  if (base64) {
    const bytes = Buffer.from(data, 'base64');
    // Node also decodes text that browsers refuse.
    return bytes.toString('base64') === data && pictureType(bytes) === type;
  }
  try {
    return type === 'image/svg+xml' && pictureType(Buffer.from(decodeURIComponent(data))) === type;
  } catch {
    return false;
  }
};

const logo = z
  .string()
  .max(limits.logo)
  .regex(dataUrl, { message: faultMessage('picture'), abort: true })
  .refine(isPicture, faultMessage('picture'));

/** How the consoles draw a project's QR codes. Null, like a field left out, stands for the default. */
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
