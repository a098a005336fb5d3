import { execFileSync } from 'node:child_process';
import { root } from './support/source-files.ts';

const git = (...args: string[]): string => {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
};

/** The fault of a title, by the rule in CONTRIBUTING. */
const faultOf = (title: string): string | undefined => {
  if (title.length > 72) return `${title.length} characters`;
  const [, act = ''] = /^(?:[\w.-]+(?:, [\w.-]+)*: )?(.*)$/.exec(title) ?? [];
  if (title.endsWith('.')) return 'ends with a full stop';
  return /^(?!(?:bring|embed|feed|need|proceed|speed)\b)\w{2,}(?:ed|ing)\b/i.test(act)
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

// The rule counts from the commit that brought this test.
const [rule = ''] = git('log', '--diff-filter=A', '--format=%H', '--', 'test/commits.test.ts').split('\n');
const isWhole = rule !== '' && git('rev-parse', '--is-shallow-repository') === 'false';

(isWhole ? test : test.skip)(
  `titles of commits are by the rule${isWhole ? '' : ' (skipped: this clone is shallow, or has no history)'}`,
  () => {
    const titles = git('log', '--no-merges', '--format=%s', `${rule}^..HEAD`).split('\n');
    expect(titles.filter((title) => faultOf(title) !== undefined)).toEqual([]);
  },
);
