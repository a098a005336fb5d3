import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { dimensionTable } from '../../../bin/dimension-table.ts';
import { groupPrefixes } from '../../../core/analytics/analytics.ts';
import { dimensionList, ownOf, type Seen, valuesOf } from '../../../core/analytics/dimensions.ts';
import { excludedPrefix } from '../../../core/table/analytics-keys.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { runs } from '../../support/nightly.ts';

test('docs/api.md has the dimensions as `npm run generate` writes them', () => {
  const page = path.join(import.meta.dirname, '../../../docs/api.md');
  expect(readFileSync(page, 'utf8')).toContain(dimensionTable());
});

const seen: Seen = {
  headers: { 'cloudfront-viewer-country': 'DE' },
  platform: 'ios',
  referrer: 'news.example',
  browser: 'safari',
  os: 'ios',
  trigger: 'qr',
  rule: 'pages/a',
  campaign: 'spring sale',
  source: undefined,
  at: new Date('2026-03-01T12:00:00.000Z'),
};

test('a visit has the values that the redirect knows', () => {
  const { platform, referrer, browser, os, trigger, rule, campaign } = seen;
  const given = { platform, referrer, browser, os, trigger, rule, campaign };
  expect(valuesOf(seen)).toEqual({ ...given, country: 'DE', source: 'none' });
});

test("a visit has the link's own names, if it has any", () => {
  const own = { campaign: 'spring' };
  expect([ownOf({ ...own, source: 'qr' }, own), ownOf({}, {})]).toEqual(['g#', '']);
});

test('with any headers, each value of a visit is a short text that reads as itself', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2000, unit: anyCharacter, size: 'max' }), (text) => {
      // Every header has this text.
      const values = valuesOf({ ...seen, headers: new Proxy({}, { get: () => text }) });
      for (const { field, read } of dimensionList) {
        expect(values[field].length).toBeLessThanOrEqual(100);
        expect([field, read(values[field])]).toEqual([field, values[field]]);
      }
    }),
    { numRuns: runs(30) },
  );
});

test('prefixes and fields are not used for anything else', () => {
  const prefixes = [...Object.values(groupPrefixes), excludedPrefix];
  for (const { ownPrefix } of dimensionList) if (ownPrefix) prefixes.push(ownPrefix);
  expect(prefixes.filter((prefix) => !/^[a-z]#$/i.test(prefix))).toEqual([]);
  expect(new Set(prefixes).size).toBe(prefixes.length);
  const ofClicks = ['project', 'code', 'visitor', 'clickId', 'at', 'windowSeconds', 'groups'];
  const ofVisits = ['own', 'tags', 'seen', 'ms', 'newFrom', 'newest'];
  const ofEvents = ['id', 'clickedAt', 'unique'];
  const ofRows = ['clicked_at', 'clicks', 'is_unique', 'shard', 'position', 'day'];
  const fields = [
    ...ofClicks,
    ...ofVisits,
    ...ofEvents,
    ...ofRows,
    ...dimensionList.map(({ field }) => field),
  ];
  expect(new Set(fields).size).toBe(fields.length);
});
