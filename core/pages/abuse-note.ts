import { dayMs } from '../base/durations.ts';
import { escapeHtml } from './html.ts';
import { messages, type PageMessages } from './messages.ts';

/** A link for reporting abuse, for pages that strangers' links lead to; empty without a contact. */
export const abuseNote = (contact: string | undefined, { abuse }: PageMessages = messages): string =>
  contact === undefined
    ? ''
    : `<p class="abuse"><a href="${escapeHtml(contact)}" rel="nofollow noopener">${escapeHtml(abuse)}</a></p>\n`;

/** `/.well-known/security.txt` (RFC 9116), which must state an expiry date. */
export const securityTxt = (
  contact: string,
  { now, url }: { readonly now: Date; readonly url: string },
): string => {
  const expires = new Date(now.getTime() + validDays * dayMs);
  expires.setUTCHours(0, 0, 0, 0);
  return [`Contact: ${contact}`, `Expires: ${expires.toISOString()}`, `Canonical: ${url}`, ''].join('\n');
};

/** RFC 9116 recommends less than a year. */
const validDays = 180;
