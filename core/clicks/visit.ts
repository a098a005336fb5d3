import type { Visitor } from './visitor.ts';

/** Whether a visit is a click, and if not, why. */
export type Visit =
  | { readonly kind: 'person' }
  | { readonly kind: 'excluded'; readonly reason: 'head' | 'prefetch' | 'social-crawler' | 'bot' };

/** What a request tells of how it came about. */
export interface VisitSigns {
  readonly method: string;
  readonly visitor: Visitor;
  /** Values of the headers by which browsers announce a look ahead, in any order. */
  readonly purposes: readonly (string | undefined)[];
}

/** Headers in which a browser says that it only looks ahead: the standard's, then what came before it. */
export const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

export const classifyVisit = ({ method, visitor, purposes }: VisitSigns): Visit => {
  if (method === 'HEAD') return { kind: 'excluded', reason: 'head' };
  if (purposes.some((purpose) => purpose !== undefined && lookAhead.test(purpose))) {
    return { kind: 'excluded', reason: 'prefetch' };
  }
  return visitor.kind === 'person' ? { kind: 'person' } : { kind: 'excluded', reason: visitor.kind };
};

// The values are lists with parameters, such as `prefetch;prerender` and `prefetch;anonymous-client-ip`.
const lookAhead = /prefetch|prerender|preview/i;
