import { hourMs } from '../core/base/durations.ts';
import { positionOf } from '../core/figures/click.ts';
import type { ClickRecord } from '../core/figures/click-record.ts';
import { itemsOf } from '../core/figures/figure-items.ts';
import { figureStore } from '../core/figures/figure-store.ts';
import { unnamedLinks } from '../core/figures/figures.ts';
import { seriesStore } from '../core/figures/series-store.ts';
import { noValues } from '../core/figures/splits.ts';
import { forClients } from '../core/table/patience.ts';
import { openItems } from '../core/table/port.ts';
import type { Items } from '../core/table/table.ts';
import { TableModel } from './famous/table-model.ts';
import { VirtualClock } from './famous/virtual-clock.ts';
import type { Figure, Section } from './report.ts';

const referrers = 300;
const links = 1000;
const clicksAnHour = 20_000;
/** Of a day. */
const hours = 3;
const invented = 60;
/** Each of them in each hour: more than most true ones have. */
const inventedClicks = 40;
/** The true referrers with the most clicks, which should be found whatever is invented. */
const busiest = 20;

const begin = Date.UTC(2026, 2, 2);
const project = 'acme';

/**
 * What of a crowded project's clicks has a name in the hours of a first day; and of a second one, on which each hour begins with
 * invented referrers.
 */
export const names = async (): Promise<Section> => {
  const clock = new VirtualClock(begin);
  const restore = clock.install();
  try {
    const playing = play(clock);
    await clock.run(playing);
    return {
      title: 'Names in the figures of a crowded project (a simulation on a virtual clock)',
      figures: await playing,
    };
  } finally {
    restore();
  }
};

const play = async (clock: VirtualClock): Promise<Figure[]> => {
  const model = new TableModel({ clock, scale: 1, count: 4, splitAfterSeconds: Number.POSITIVE_INFINITY });
  const table = openItems(model.transport({ weight: 1 }), { name: 'links', patience: forClients });
  const visits = new Visits(clock.random);
  await count(table, clock, (hour) => visits.ofHour(begin + hour * hourMs));
  const writes = model.units.writes / hours;
  const first = await shares(table, begin);
  const next = begin + 24 * hourMs;
  await count(table, clock, (hour) => {
    const start = next + hour * hourMs;
    return [...visits.invented(start), ...visits.ofHour(start)];
  });
  const second = await shares(table, next);
  return [
    { name: 'clicks under other referrers', value: first.others, unit: '%' },
    { name: 'clicks on other links', value: first.otherLinks, unit: '%' },
    { name: 'found of the busy referrer with the least', value: first.leastFound, unit: '%' },
    { name: 'the same, with invented ones a day later', value: second.leastFound, unit: '%' },
    { name: 'write units an hour', value: Math.round(writes), unit: '' },
  ];
};

/** Adds a day's clicks to the hours of their project, in batches of a second. */
const count = async (
  table: Items,
  clock: VirtualClock,
  clicksOf: (hour: number) => ClickRecord[],
): Promise<void> => {
  const figures = figureStore(table);
  for (let hour = 0; hour < hours; hour += 1) {
    const batches = Map.groupBy(clicksOf(hour), ({ at }) => at);
    for (const [second, records] of batches) {
      await clock.after(Math.max(0, (second + 1) * 1000 - clock.now));
      const items = itemsOf({ shard: 'stream/shard', records });
      for (const item of items) if (item.owner.code === undefined) await figures.add(item);
    }
  }
};

/** Clicks by Zipf's law on links and from referrers, in order. */
class Visits {
  readonly #random: () => number;
  readonly #referrer: () => number;
  readonly #link: () => number;
  #made = 0n;

  constructor(random: () => number) {
    this.#random = random;
    this.#referrer = zipf(referrers, random);
    this.#link = zipf(links, random);
  }

  ofHour(start: number): ClickRecord[] {
    const times = Array.from({ length: clicksAnHour }, () => Math.floor(this.#random() * 3600)).sort(
      (one, other) => one - other,
    );
    return times.map((second) => this.#click(start / 1000 + second, trueName(this.#referrer())));
  }

  invented(start: number): ClickRecord[] {
    return Array.from({ length: invented * inventedClicks }, (_, i) =>
      this.#click(start / 1000, `invented-${start}-${i % invented}.example`),
    );
  }

  #click(at: number, referrer: string): ClickRecord {
    this.#made += 1n;
    return {
      ...{ project, code: `code-${this.#link()}`, isGrouped: false, sequenceNumber: String(this.#made) },
      ...{ position: positionOf(String(10n ** 20n + this.#made)), created: at, at },
      ...{ clicks: 1, unique: false, opens: 0, firstOpens: 0 },
      ...{ ...noValues, country: 'DE', referrer, browser: 'chrome', os: 'windows' },
    };
  }
}

/** Draws ranks from 1 on. */
const zipf = (names: number, random: () => number) => {
  let sum = 0;
  const sums = Array.from({ length: names }, (_, i) => {
    sum += 1 / (i + 1);
    return sum;
  });
  return () => {
    const drawn = random() * sum;
    return 1 + sums.findIndex((reached) => reached > drawn);
  };
};

/** In percent. */
const shares = async (table: Items, start: number) => {
  const span = { unit: 'hour', start, end: start + hours * hourMs } as const;
  const found = await seriesStore(table).find({ project }, [span], new Date(start + 24 * hourMs));
  const clicks = hours * clicksAnHour;
  const part = (group: 'referrers' | 'links', isAsked: (name: string) => boolean) => {
    const named = found.flatMap(({ groups }) => Object.entries(groups(group)));
    return (100 / clicks) * named.reduce((sum, [name, n]) => (isAsked(name) ? sum + n : sum), 0);
  };
  const expected = (rank: number) => 100 / rank / harmonic(referrers);
  const foundOf = (rank: number) =>
    (100 * part('referrers', (name) => name === trueName(rank))) / expected(rank);
  return {
    others: part('referrers', (name) => name === 'other'),
    otherLinks: part('links', (name) => name === unnamedLinks),
    leastFound: Math.min(...Array.from({ length: busiest }, (_, i) => foundOf(i + 1))),
  };
};

const harmonic = (n: number): number =>
  Array.from({ length: n }, (_, i) => 1 / (i + 1)).reduce((a, b) => a + b);

const trueName = (rank: number): string => `true-${rank}.example`;
