import { execFileSync } from 'node:child_process';
import { root } from './support/source-files.ts';

const git = (...args: string[]): string => {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
};

const titlesSince = (commit: string): string[] =>
  git('log', '--no-merges', '--format=%s', `${commit}^..HEAD`).split('\n');

/** Verbs that fit any change and therefore name none. */
const vagueVerb = /^(?:draw|hold|keep|know|let|state|take)\b/i;

const act = (title: string): string => /^(?:[\w.-]+(?:, [\w.-]+)*: )?(.*)$/.exec(title)?.[1] ?? '';

/** The fault of a title, by the rule in CONTRIBUTING. */
const faultOf = (title: string): string | undefined => {
  if (title.length > 72) return `${title.length} characters`;
  if (title.endsWith('.')) return 'ends with a full stop';
  return /^(?!(?:bring|embed|feed|need|proceed|speed)\b)\w{2,}(?:ed|ing)\b/i.test(act(title))
    ? 'not imperative'
    : undefined;
};

test.each([
  ['links: refuse unknown hosts', undefined],
  ['core, ops: embed and bring what is needed', undefined],
  ['Release 1.2.0', undefined],
  ['links: refused unknown hosts', 'not imperative'],
  ['links: refusing unknown hosts', 'not imperative'],
  ['links: refuse unknown hosts.', 'ends with a full stop'],
  [`links: refuse ${'x'.repeat(60)}`, '74 characters'],
])('%s: %s', (title, fault) => {
  expect(faultOf(title)).toBe(fault);
});

test.each([
  ['links: hold that a blocked link stays blocked', true],
  ['core, ops: Let the API refuse hosts', true],
  ['keep keys for an hour', true],
  ['links: refuse hosts, and keep their codes', false],
  ['keys: letter codes', false],
])('%s: begins with a vague verb: %s', (title, isVague) => {
  expect(vagueVerb.test(act(title))).toBe(isVague);
});

// Each rule applies from the commit that brought it.
const thisFile = ['--format=%H', '--', 'test/commits.test.ts'];
const [rule = ''] = git('log', '--diff-filter=A', ...thisFile).split('\n');
const verbRules = git('log', '-Sconst vagueVerb', ...thisFile).split('\n');
const verbRule = verbRules.at(-1) ?? '';
const isWhole = rule !== '' && git('rev-parse', '--is-shallow-repository') === 'false';

(isWhole ? test : test.skip)(
  `titles of commits are by the rule${isWhole ? '' : ' (skipped: this clone is shallow, or has no history)'}`,
  () => {
    const titles = titlesSince(rule);
    expect(titles.filter((title) => faultOf(title) !== undefined)).toEqual([]);
    const newTitles = verbRule === '' ? [] : titlesSince(verbRule);
    expect(newTitles.filter((title) => vagueVerb.test(act(title)))).toEqual([]);
  },
);
