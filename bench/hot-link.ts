import { setTimeout as delay } from 'node:timers/promises';
import { createLinks } from './links.ts';
import { visitEach } from './load.ts';
import { atMost, type Figure, type Section } from './report.ts';
import { type Serving, serve } from './serving.ts';
import { figuresOf, figureWrites, hitsOf } from './table-counts.ts';

export interface Load {
  readonly clicks: number;
  readonly visitors: number;
  readonly codes: readonly string[];
}

export interface Counted {
  readonly clicks: number;
  readonly uniques: number;
  /** Clicks that were lost. */
  readonly lost: number;
  readonly clicksPerSecond: number;
  /** Milliseconds from the last response until the figures show every click. */
  readonly visibleAfter: number;
  /** Per click, beside the click's own write. */
  readonly figureWritesPerClick: number;
}

const connections = 64;

/** The wait before looking for lost clicks, which reads every visitor. */
const patienceMs = 5000;

/** Sends clicks from different addresses, and waits until the figures have every click. */
export const clickAll = async (serving: Serving, { clicks, visitors, codes }: Load): Promise<Counted> => {
  const before = await figureWrites(serving);
  const begun = performance.now();
  const paths = codes.map((code) => `/${code}`);
  await visitEach(serving.short, { paths, connections, visits: clicks, visitors });
  const answered = performance.now();
  let sum = await figuresOf(serving, codes);
  // The clicks in the table: one that neither the table nor the queue took is missing.
  let written: number | undefined;
  while (sum.clicks < (written ?? clicks)) {
    await delay(5);
    sum = await figuresOf(serving, codes);
    if (performance.now() - answered > patienceMs) written ??= await hitsOf(serving, codes);
  }
  const visibleAfter = performance.now() - answered;
  return {
    ...sum,
    lost: clicks - (written ?? clicks),
    clicksPerSecond: clicks / ((answered - begun) / 1000),
    visibleAfter,
    figureWritesPerClick: ((await figureWrites(serving)) - before) / clicks,
  };
};

/** Measures one link with all clicks, and many links with few: exactness, delay and cost. */
export const hotLink = async (assembly: string): Promise<Section> => {
  const serving = await serve(assembly);
  try {
    const [hot = '', ...others] = await createLinks(serving, 1001);
    const one = await clickAll(serving, { clicks: 5000, visitors: 2000, codes: [hot] });
    const many = await clickAll(serving, { clicks: 20_000, visitors: 2000, codes: others });
    return {
      title: 'Clicks at 64 at once',
      figures: [
        ...figures('5,000 of 2,000 visitors on one link', one, 5000),
        ...figures('20,000 on 1,000 links', many, 20_000),
      ],
    };
  } finally {
    await serving.stop();
  }
};

const figures = (load: string, counted: Counted, clicks: number): Figure[] => [
  {
    name: `${load}: counted`,
    value: counted.clicks,
    unit: '',
    goal: `= ${clicks}`,
    met: counted.clicks === clicks,
  },
  { name: `${load}: unique visits`, value: counted.uniques, unit: '' },
  { name: `${load}: rate`, value: counted.clicksPerSecond, unit: '/s' },
  atMost(`${load}: last click visible after`, counted.visibleAfter, 'ms', 2000),
  { name: `${load}: table writes per click`, value: 1 + counted.figureWritesPerClick, unit: '' },
];
