import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openerOf } from '../../core/visits/app-client.ts';
import { browserOf, systemOf } from '../../core/visits/client-software.ts';
import { visitorOf } from '../../core/visits/visitor.ts';

/** Lines of a file in this folder, without its comments, as columns. */
const rowsOf = (name: string): string[][] =>
  readFileSync(path.join(import.meta.dirname, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));

const rows = rowsOf('user-agents.tsv').map(
  ([kind = '', browser = '', system = '', source = '', userAgent = '']) => ({
    kind,
    browser,
    system,
    source,
    userAgent,
  }),
);
const apps = rowsOf('user-agents-of-apps.tsv').map(([counts = '', source = '', userAgent = '']) => ({
  counts,
  source,
  userAgent,
}));

const kinds = ['android', 'ios', 'web', 'lost', 'social', 'bot'];
const people = rows.filter(({ kind }) => kinds.indexOf(kind) < kinds.indexOf('social'));

const kindOf = (userAgent: string): string => {
  const { kind, platform } = visitorOf(userAgent);
  if (kind === 'person') return platform;
  return kind === 'bot' ? 'bot' : 'social';
};

test('each line is complete, and no user agent is in a file twice', () => {
  for (const file of [rows, apps]) {
    expect(file.filter((row) => Object.values(row).includes(''))).toEqual([]);
    const userAgents = file.map(({ userAgent }) => userAgent);
    expect(userAgents.filter((one, index) => userAgents.indexOf(one) !== index)).toEqual([]);
  }
  expect(rows.filter(({ kind }) => !kinds.includes(kind))).toEqual([]);
  expect(apps.filter(({ counts }) => counts !== 'yes' && counts !== 'no')).toEqual([]);
});

test('each user agent is classified as its line says', () => {
  const wrong = rows
    .map((row) => ({ ...row, got: kindOf(row.userAgent) }))
    .filter(({ kind, got }) => got !== (kind === 'lost' ? 'bot' : kind));
  expect(wrong).toEqual([]);
});

test('at most one of a thousand people is taken for a machine', () => {
  const machines = people.filter(({ userAgent }) => visitorOf(userAgent).kind !== 'person');
  expect(people.length).toBeGreaterThan(2000);
  expect(machines.length).toBeLessThanOrEqual(people.length / 1000);
});

test('browsers and systems have the names that their lines give', () => {
  const wrong = rows
    .map((row) => ({ ...row, got: [browserOf(row.userAgent), systemOf(row.userAgent)] }))
    .filter(
      ({ browser, system, got }) =>
        (browser !== '-' && browser !== got[0]) || (system !== '-' && system !== got[1]),
    );
  expect(wrong).toEqual([]);
});

test("apps' own requests count as opens, whatever the app is called", () => {
  const wrong = apps.filter(
    ({ counts, userAgent }) => (openerOf(userAgent).kind === 'person') !== (counts === 'yes'),
  );
  expect(wrong).toEqual([]);
});

test.each([
  ['Android 1; ', 'x'],
  ['FBAN/', ''],
  ['Instagram 1 Android (', ''],
  ['News', '/'],
  ['Mozilla/5.0 (', 'Android'],
  ['com.google.a', ''],
  ['google_ios/', ''],
  ['jd;', ''],
])('a user agent of many “%s” is classified at once', (part, end) => {
  const userAgent = `Mozilla/5.0 (Linux; Android 15; bot) ${part.repeat(20_000 / part.length)}${end}`;
  expect(kindOf(userAgent)).toMatch(/^(android|bot)$/);
});
