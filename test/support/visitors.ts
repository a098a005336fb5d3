import type { Platform } from '../../core/base/platform.ts';
import type { AppOpen, Click } from '../../core/visits/click-store.ts';
import type { Dice } from './dice.ts';

export const windowSeconds = 3600;

/** The expected analytics of a link. */
export interface Truth {
  clicks: number;
  uniques: number;
  readonly platforms: Record<string, number>;
  readonly countries: Record<string, number>;
  readonly series: Series;
}

/** The expected counts of each day and hour, by attribute. */
export type Series = Map<string, Record<string, number>>;

interface Visitor {
  readonly id: string;
  readonly platform: Platform;
  readonly country: string;
  /** Epoch seconds of the last click. */
  seen: number;
}

/** Made-up people who click a link repeatedly, and the expected sums of their clicks. */
export class Visitors {
  readonly link: { readonly project: string; readonly code: string };
  readonly truth: Truth = { clicks: 0, uniques: 0, platforms: {}, countries: {}, series: new Map() };
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

  /** The next click of a person: at once, later, or when they count as new again. */
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
    const at = new Date(visitor.seen * 1000);
    const referrer = this.#dice.pick(['direct', 'news.example', 'other']);
    const browser = this.#dice.pick(['chrome', 'safari']);
    const trigger = this.#dice.pick(['link', 'qr'] as const);
    const rule = this.#dice.pick(['none', 'teaser', 'pages/a']);
    // In turn, without drawing: each value comes from the link or the visit.
    const turn = <Value>(values: readonly Value[]) => values[this.#clicks % values.length] as Value;
    const [campaign, source] = [turn(['none', 'spring', 'autumn']), turn(['none', 'mail'])];
    const [own, tags] = [turn(['', 'g#', 's#', 'g#s#', 'g#']), turn([[], ['poster'], ['poster', 'sale']])];
    const groups = [visitor.platform, visitor.country, referrer, browser, 'android', trigger];
    const named = [...groups, rule, campaign, source].map((name, i) => `${'pcrbotygs'[i]}#${name}`);
    // No rule, campaign or source is stored under no name.
    const counts = [...named.filter((name) => !name.endsWith('#none')), ...tags.map((tag) => `h#${tag}`)].map(
      (name) => [name, 1] as const,
    );
    const isUnique = isFirst || later >= windowSeconds;
    this.#happens(at, [['n', 1], ...counts, ...(isUnique ? [['u', 1] as const] : [])]);
    return {
      ...this.link,
      visitor: visitor.id,
      clickId: `${this.link.code}-${this.#clicks}`,
      platform: visitor.platform,
      country: visitor.country,
      referrer,
      browser,
      os: 'android',
      trigger,
      rule: rule === 'none' ? undefined : rule,
      ...{ campaign, source, own, tags },
      at,
      windowSeconds,
    };
  }

  /** A person opens the app with the link. */
  nextOpen(): AppOpen {
    const visitor = this.#dice.pick(this.#visitors);
    const isFirst = this.#dice.once(2);
    const at = new Date((1_700_000_000 + this.#dice.below(200_000)) * 1000);
    this.#clicks += 1;
    this.#happens(at, [['e', 1], ...(isFirst ? [['f', 1] as const] : [])]);
    const requestId = `${this.link.code}-${this.#clicks}`;
    return { ...this.link, visitor: visitor.id, requestId, platform: 'ios', isFirst, at };
  }

  #happens(at: Date, amounts: readonly (readonly [string, number])[]): void {
    const time = at.toISOString();
    for (const span of [`D#${time.slice(0, 10)}`, `H#${time.slice(0, 13)}`])
      addTo(this.truth.series, span, amounts);
  }
}

const addTo = (series: Series, span: string, amounts: Iterable<readonly [string, number]>): void => {
  const counts = series.get(span) ?? {};
  series.set(span, counts);
  for (const [name, amount] of amounts) counts[name] = (counts[name] ?? 0) + amount;
};

/** The expected counts of a link: tags count only in its project. */
export const ofLink = ({ truth }: Visitors): Series => {
  const series: Series = new Map();
  for (const [span, counts] of truth.series)
    addTo(
      series,
      span,
      Object.entries(counts).filter(([name]) => !name.startsWith('h#')),
    );
  return series;
};

/** The expected counts of all links together. */
export const ofProject = (links: readonly Visitors[]): Series => {
  const series: Series = new Map();
  for (const { link, truth } of links) {
    for (const [span, counts] of truth.series) {
      // Rules belong to a link: a project counts none of them.
      const shared = Object.entries(counts).filter(([name]) => !name.startsWith('y#'));
      const clicks = counts.n === undefined ? [] : [[`l#${link.code}`, counts.n] as const];
      addTo(series, span, [...shared, ...clicks]);
    }
  }
  return series;
};
