import type { Visitor } from './visitor.ts';

/** Whether a visit is a click, and if not, why. */
export type Visit =
  | { readonly kind: 'person' }
  | { readonly kind: 'excluded'; readonly reason: 'debug' | 'head' | 'prefetch' | 'social-crawler' | 'bot' };

/** What a request shows about its origin. */
export interface VisitSigns {
  readonly method: string;
  readonly visitor: Visitor;
  /** Why the browser sends the request: a list of values, any of which may announce a look-ahead. */
  readonly purpose?: string | undefined;
  /** Whether the debug page was asked for. */
  readonly debug?: boolean;
}

/** How a visitor came to a short URL. */
export type Trigger = 'link' | 'qr';

/** The edge puts the values of all headers of this kind into this one (lib/viewer-request.js). */
export const purposeHeader = 'sec-purpose';

export const classifyVisit = ({ method, visitor, purpose = '', debug }: VisitSigns): Visit => {
  if (debug) return { kind: 'excluded', reason: 'debug' };
  if (method === 'HEAD') return { kind: 'excluded', reason: 'head' };
  if (lookAhead.test(purpose)) return { kind: 'excluded', reason: 'prefetch' };
  return visitor.kind === 'person' ? { kind: 'person' } : { kind: 'excluded', reason: visitor.kind };
};

// The values are lists with parameters, such as `prefetch;prerender` and `prefetch;anonymous-client-ip`.
const lookAhead = /prefetch|prerender|preview/i;
