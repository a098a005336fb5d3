import { setTimeout as delay } from 'node:timers/promises';
import { visit } from './client.ts';
import { createDemoLinks } from './links.ts';
import type { Section } from './report.ts';
import { type Serving, serveStack } from './serving.ts';
import { countedFigures, hitsOf } from './table-counts.ts';

const connections = 16;
const seconds = 4;

/** Kills a stack under load, and compares the clicks in its table with its figures after a restart. */
export const killed = async (assembly: string): Promise<Section> => {
  const first = await serveStack(assembly);
  const codes = await createDemoLinks(first, 100);
  const { answered, data } = await visitUntilKilled(first, codes);
  const second = await serveStack(assembly, { data });
  try {
    const written = await hitsOf(second, codes);
    const shown = await figuresAfter(second, codes, written);
    return {
      title: 'Killed under load',
      figures: [
        { name: 'redirects answered', value: answered, unit: '' },
        { name: 'clicks written', value: written, unit: '', goal: `≥ ${answered}`, met: written >= answered },
        { name: 'clicks in figures', value: shown, unit: '', goal: `= ${written}`, met: shown === written },
      ],
    };
  } finally {
    await second.stop();
  }
};

const visitUntilKilled = async (serving: Serving, codes: readonly string[]) => {
  let isAlive = true;
  let begun = 0;
  let answered = 0;
  const visitor = async () => {
    while (isAlive) {
      const n = begun++;
      const headers = {
        'User-Agent': 'Mozilla/5.0 (iPhone) Safari/604.1',
        'x-sim-viewer-address': `203.0.113.${n % 251}`,
      };
      const went = await visit(serving, `/${codes[n % codes.length]}`, headers).then(
        () => true,
        () => false,
      );
      if (went) answered += 1;
    }
  };
  const visitors = Array.from({ length: connections }, visitor);
  await delay(seconds * 1000);
  const data = await serving.kill();
  isAlive = false;
  await Promise.all(visitors);
  return { answered, data };
};

/** Figures catch up with the clicks written before the kill, and count none twice. */
const figuresAfter = async (serving: Serving, codes: readonly string[], written: number): Promise<number> => {
  const clicks = async () => (await countedFigures(serving, codes)).clicks;
  for (let tries = 0; tries < 200 && (await clicks()) < written; tries += 1) await delay(50);
  await delay(1000);
  return clicks();
};
