import type { Click } from '../../core/clicks/click-store.ts';
import type { Platform } from '../../core/clicks/visitor.ts';
import type { Dice } from './dice.ts';

export const windowSeconds = 3600;

/** What a link's figures must come to. */
export interface Truth {
  clicks: number;
  uniques: number;
  readonly platforms: Record<string, number>;
  readonly countries: Record<string, number>;
}

interface Visitor {
  readonly id: string;
  readonly platform: Platform;
  readonly country: string;
  /** Epoch seconds of the last click. */
  seen: number;
}

/** Made-up people who click a link again and again, and what their clicks must add up to. */
export class Visitors {
  readonly link: { readonly project: string; readonly code: string };
  readonly truth: Truth = { clicks: 0, uniques: 0, platforms: {}, countries: {} };
  readonly #visitors: Visitor[];
  readonly #dice: Dice;
  #clicks = 0;

  constructor(link: Visitors['link'], dice: Dice) {
    this.link = link;
    this.#dice = dice;
    this.#visitors = Array.from({ length: 1 + dice.below(4) }, (_, i) => ({
      id: `visitor${i}`,
      platform: dice.pick(['ios', 'android', 'web'] as const),
      country: dice.pick(['DE', 'FR', 'US', 'other']),
      seen: 0,
    }));
  }

  /** The next click of one of them: at once, later, or when they count as new again. */
  next(): Click {
    const visitor = this.#dice.pick(this.#visitors);
    const isFirst = visitor.seen === 0;
    const later = isFirst
      ? 1_700_000_000
      : this.#dice.pick([0, 1, windowSeconds - 1, windowSeconds, 100_000]);
    visitor.seen += later;
    const { truth } = this;
    truth.clicks += 1;
    truth.uniques += isFirst || later >= windowSeconds ? 1 : 0;
    truth.platforms[visitor.platform] = (truth.platforms[visitor.platform] ?? 0) + 1;
    truth.countries[visitor.country] = (truth.countries[visitor.country] ?? 0) + 1;
    this.#clicks += 1;
    return {
      ...this.link,
      visitor: visitor.id,
      clickId: `${this.link.code}-${this.#clicks}`,
      platform: visitor.platform,
      country: visitor.country,
      referrer: 'example.com',
      browser: 'chrome',
      os: 'android',
      trigger: 'link',
      at: new Date(visitor.seen * 1000),
      windowSeconds,
    };
  }
}
