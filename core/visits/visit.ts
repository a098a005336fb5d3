import type { Visitor } from './visitor.ts';

/** A click, or an excluded visit with its reason. */
export type Visit =
  | { readonly kind: 'person' }
  | { readonly kind: 'excluded'; readonly reason: 'debug' | 'head' | 'prefetch' | 'social-crawler' | 'bot' };

/** The parts of a request that show whether a person sent it. */
export interface VisitSigns {
  readonly method: string;
  readonly visitor: Visitor;
  /** The purpose header: a list of values, any of which may announce a prefetch. */
  readonly purpose?: string | undefined;
  /** Whether the request is for the debug page. */
  readonly debug?: boolean;
}

/** How a visitor reached a short URL. */
export type Trigger = 'link' | 'qr';

/** The header into which the edge function puts the values of all purpose headers (lib/viewer-request.js). */
export const purposeHeader = 'sec-purpose';

export const classifyVisit = ({ method, visitor, purpose = '', debug }: VisitSigns): Visit => {
  if (debug) return { kind: 'excluded', reason: 'debug' };
  if (method === 'HEAD') return { kind: 'excluded', reason: 'head' };
  if (lookAhead.test(purpose)) return { kind: 'excluded', reason: 'prefetch' };
  return visitor.kind === 'person' ? { kind: 'person' } : { kind: 'excluded', reason: visitor.kind };
};

// The values are lists with parameters, such as `prefetch;prerender` and `prefetch;anonymous-client-ip`.
const lookAhead = /prefetch|prerender|preview/i;
