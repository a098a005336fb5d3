import type { LambdaFunctionURLEvent } from 'aws-lambda';
import { visitorKey } from '../../core/table/figure-keys.ts';
import { visitorHash } from '../../core/visits/visitor-identity.ts';
import { userAgents } from '../../ops/base/user-agents.ts';
import type { VirtualClock } from './virtual-clock.ts';

export const link = { project: 'acme', code: 'famous', host: 'go.example.com' } as const;
export const visitorSecret = 'simulated';

/** Two of three visitors use a phone, as for a link on television. */
const browsers = Object.values(userAgents);
const countries = ['DE', 'DE', 'DE', 'AT', 'CH', 'FR'];

/** The share of visitors who come a second time. */
const returning = 0.1;

/** Visitors behind a carrier's address: all who use the same browser count as one. */
const carriersVisitors = browsers.length;

/** The link's visitors, and how often each was redirected. */
export class Visitors {
  readonly #clock: VirtualClock;
  readonly #ofCarrier: number;
  readonly #sentOn: number[] = [];
  #requests = 0;

  /** The share of visits that come from one address: a mobile carrier's. */
  constructor(clock: VirtualClock, ofCarrier = 0) {
    this.#clock = clock;
    this.#ofCarrier = ofCarrier;
    if (ofCarrier > 0) this.#sentOn = Array(carriersVisitors).fill(0);
  }

  isOfCarrier(visitor: number): boolean {
    return this.#ofCarrier > 0 && visitor < carriersVisitors;
  }

  next(): number {
    if (this.#ofCarrier > 0 && this.#clock.random() < this.#ofCarrier)
      return Math.floor(this.#clock.random() * carriersVisitors);
    const known = this.#sentOn.length;
    if (known > 0 && this.#clock.random() < returning) return Math.floor(this.#clock.random() * known);
    this.#sentOn.push(0);
    return known;
  }

  wasSentOn(visitor: number): void {
    this.#sentOn[visitor] = (this.#sentOn[visitor] ?? 0) + 1;
  }

  event(visitor: number): LambdaFunctionURLEvent {
    this.#requests += 1;
    const requestId = `request-${this.#requests}`;
    const event = {
      rawPath: `/${link.project}/${link.code}`,
      rawQueryString: '',
      headers: {
        'user-agent': userAgentOf(visitor),
        'x-forwarded-host': link.host,
        'x-amz-cf-id': requestId,
        'cloudfront-viewer-address': `${this.#addressOf(visitor)}:443`,
        'cloudfront-viewer-country': countries[visitor % countries.length],
      },
      requestContext: { http: { method: 'GET' }, timeEpoch: this.#clock.now, requestId },
    };
    // The rest of Lambda's event isn't read.
    return event as unknown as LambdaFunctionURLEvent;
  }

  #addressOf(visitor: number): string {
    return addressOf(this.isOfCarrier(visitor) ? 0 : visitor);
  }

  /** Every visitor's item, with the clicks that it must have. */
  *expected(groups: number): Generator<{ PK: string; SK: string; clicks: number }> {
    for (const [visitor, clicks] of this.#sentOn.entries()) {
      const hash = visitorHash(visitorSecret, {
        ...link,
        address: this.#addressOf(visitor),
        userAgent: userAgentOf(visitor),
      });
      yield { ...visitorKey(link.project, link.code, hash, groups), clicks };
    }
  }
}

const userAgentOf = (visitor: number): string => browsers[visitor % browsers.length] ?? '';
const addressOf = (visitor: number): string =>
  `${1 + (visitor >> 24)}.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`;
