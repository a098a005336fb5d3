import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Kept, performancePage } from '../../bench/performance-page.ts';

const read = (file: string) => readFileSync(path.join(import.meta.dirname, '../..', file), 'utf8');
const page = read('docs/performance.md');
const results: Record<string, Kept> = JSON.parse(read('bench/results.json')).sections;

test('docs/performance.md has the measurements of bench/results.json, as `npm run generate` writes them', () => {
  expect(page).toBe(performancePage(page, results));
});

const blocks = /<!-- measurements: ([\w-]+) -->.*?<!-- end -->/gs;

test('all that a benchmark measured stands in a generated table', () => {
  const shown = [...page.matchAll(blocks)].map(([, name]) => name);
  expect(shown).toHaveLength(new Set(shown).size);
  expect(shown.length).toBeGreaterThan(3);
  const prose = page.replaceAll(blocks, '');
  // Lambda's 250 ms are AWS's.
  expect(prose.match(/\d (ms|µs|×|%)(?!\w)/g)).toEqual(['0 ms']);
});

test('a table names the time, place, version and engine of its measurement', () => {
  const measurements = [
    { name: 'one link', value: 3000, unit: '/s' },
    { name: 'one link, against the other', value: 1.5, unit: '×' },
    { name: 'one link: p99', value: 21.5, unit: 'ms', goal: '≤ 20', met: false },
    { name: 'one link, the other checkout', value: 2000, unit: '/s' },
  ];
  const kept = {
    measuredAt: '2026-11-28T00:10:00.000Z',
    machine: 'a machine',
    measurements,
    against: '1.1.0',
  };
  const page = '<!-- measurements: redirects -->\n<!-- end -->\n';
  expect(performancePage(page, { redirects: kept })).toBe(`<!-- measurements: redirects -->

\`redirects\`, 28 November 2026, a machine:

|  | per second | p99 | per second, against 1.1.0 |
| --- | ---: | ---: | ---: |
| one link | 3,000 /s | 21.5 ms (goal: ≤ 20, missed) | 1.50 × |

<!-- end -->
`);
  expect(performancePage('<!-- measurements: other -->\n<!-- end -->', {})).toContain('Not measured yet.');
});
