import { createHmac } from 'node:crypto';

export type Platform = 'ios' | 'android' | 'web';

/** Who follows a short URL. */
export interface Visitor {
  readonly platform: Platform;
  readonly kind: 'person' | 'social-crawler' | 'bot';
}

const appleHandheld = /\b(iPhone|iPad|iPod)\b/;
const android = /\bAndroid\b/;

export const platformOf = (userAgent: string): Platform => {
  if (appleHandheld.test(userAgent)) return 'ios';
  return android.test(userAgent) ? 'android' : 'web';
};

/** `203.0.113.7:4711` or `2001:db8::7:4711` as CloudFront sends it, without the port. */
export const addressOf = (viewerAddress: string): string => {
  const port = viewerAddress.lastIndexOf(':');
  return port < 0 ? viewerAddress : viewerAddress.slice(0, port);
};

/**
 * A visitor's identity on one link: the same for the same address and user agent, of no use without the secret,
 * and different on every link, so visitors can't be followed from link to link. No address is stored anywhere.
 */
export const visitorHash = (
  secret: string,
  visit: { project: string; code: string; address: string; userAgent: string },
): string =>
  createHmac('sha256', secret)
    .update([visit.project, visit.code, visit.address, visit.userAgent].join('\n'))
    .digest()
    .subarray(0, 16)
    .toString('base64url');
