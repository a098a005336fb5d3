import { planKeyBuckets } from '../core/api-keys/plan-key.ts';
import { limits } from '../core/base/limits.ts';
import { memoryTimes } from '../core/cached-reads/visitor-reads.ts';
import { functions } from '../core/functions.ts';
import { linkStatuses } from '../core/links/link.ts';
import { keyMs, sessionMs } from '../core/members/member.ts';
import { mostMembers } from '../core/members/member-store.ts';
import { answerMs } from '../core/webhooks/receiver.ts';
import { configOf } from '../lib/config.ts';
import { openRate } from '../lib/method-rates.ts';
import { textOf } from './support/source-files.ts';

/** A page in one line, so that a sentence is found wherever its lines break. */
const pageOf = (page: string): string => textOf(page).replaceAll(/\s+/g, ' ');

/** A number that has no name outside its file. */
const inCode = (file: string, pattern: RegExp): number =>
  Number(pattern.exec(textOf(file))?.[1]?.replaceAll('_', ''));

/** Cached times differ by a fifth: the most that an operator's change takes. */
const latest = (ms: number): number => Math.ceil((ms * 1.2) / 1000);

const numerals: Readonly<Record<number, string>> = { 1: 'one', 5: 'five', 10: 'ten', 12: 'twelve' };

const takedown = 'ops/command-line/commands/takedown.ts';
const consoleCalls = inCode('lib/api-firewall.ts', /'RateOfConsole', byAddress\((\d+) \* perMinute/) * 60;
const exportSeconds = inCode('lib/click-export.ts', /intervalInSeconds: (\d+)/);
const openIdDays = inCode('core/visits/click-store.ts', /\? (\d+) \+ limits\.clickQueueDays/);
const defaults = configOf({});
const canary = numerals[inCode('lib/releases.ts', /CANARY_10PERCENT_(\d+)MINUTES/)];
const tables = textOf('lib/table.ts').split('new dynamodb.Table(scope').length - 1;
const [, release] = /^## 1\.2\.0 \(.*, (\w+)\)$/m.exec(textOf('CHANGELOG.md')) ?? [];
/** Whole dollars: an idle month of prod, the least and the most for a million redirects there, an idle month of dev. */
const costs = (
  [
    /## An idle month.*?\*\*total\*\* \| \| \*\*([\d.]+)/s,
    /\*\*total in prod\*\* \| \| \*\*([\d.]+)/,
    /\*\*total in prod\*\*.*?([\d.]+)\*\* \|\n/,
    /In dev it is (\d+\.\d+)/,
  ] as const
).map((pattern) => Math.round(Number(pattern.exec(textOf('docs/cost.md'))?.[1])));
const { license } = JSON.parse(textOf('package.json'));

/** Sentences that state a number or a name of the code's, with it in parentheses. */
test.each<[page: string, says: RegExp, fact: unknown]>([
  [takedown, /Suspend a project: within (\d+) seconds/, latest(memoryTimes.suspension)],
  [
    takedown,
    /Block a host as a destination, within (a minute),/,
    latest(memoryTimes.blocking) <= 60 && 'a minute',
  ],
  ['docs/units.md', /reads the blocked destinations each (\d+) s/, memoryTimes.blocking / 1000],
  ['SECURITY.md', /Such keys expire within (\d+) minutes/, keyMs / 60_000],
  ['SECURITY.md', /minutes, sessions within (\d+) hours/, sessionMs / 3_600_000],
  ['SECURITY.md', /\| the members' console \| an address \| (\d+) a minute/, consoleCalls],
  ['SECURITY.md', /one of (\d+) usage plan keys/, planKeyBuckets],
  ['SECURITY.md', /accepts (\w+) calls a second for each method/, numerals[openRate]],
  [
    'SECURITY.md',
    /is a QR code of ([\d,]+) pixels/,
    inCode('core/qr-styles/qr-options.ts', /max: (\d+) \}, margin/).toLocaleString('en'),
  ],
  ['SECURITY.md', /gives up after (\w+) seconds/, numerals[answerMs / 1000]],
  ['docs/events.md', /Respond with 2xx within (\d+) seconds/, answerMs / 1000],
  ['docs/sign-in.md', /A session lasts (\d+) hours/, sessionMs / 3_600_000],
  ['docs/sign-in.md', /hours, a key (\d+) minutes/, keyMs / 60_000],
  ['docs/sign-in.md', /(\d+) members a project/, mostMembers],
  ['docs/sign-in.md', /(\d+) projects a member/, mostMembers],
  ['docs/personal-data.md', /with the address \| the table \| (\d+) hours/, sessionMs / 3_600_000],
  ['docs/personal-data.md', /hours, (\d+) minutes/, keyMs / 60_000],
  ['docs/personal-data.md', /`openId`[^|]*\| the table \| (\d+) days/, openIdDays + limits.clickQueueDays],
  ['docs/personal-data.md', /counted, (\d+) days at most/, limits.clickQueueDays],
  ['docs/personal-data.md', /`uniqueWindowDays` \((\d+)\)/, defaults.uniqueWindowDays],
  ['docs/personal-data.md', /`historyDays` \((\d+)\)/, defaults.historyDays],
  ['docs/personal-data.md', /`logRetentionDays` \((\d+)\)/, defaults.logRetentionDays],
  ['docs/upgrade.md', /(\w+) minutes, then all/, canary],
  ['docs/export.md', /writes a file after (\w+) minutes/, numerals[exportSeconds / 60]],
  ['docs/comparison.md', /\| Creates many links in one call \| (\d+) /, limits.bulkLinks],
  ['docs/comparison.md', /\| Licence \| (\S+) /, license],
  ['docs/performance.md', /git worktree add \.\.\/before (\w+)/, release],
  ['README.md', /one main DynamoDB table and a small (\w+) for takedowns/, numerals[tables - 1]],
  ['README.md', /about \$(\d+) per idle month/, costs[0]],
  ['README.md', /plus \$(\d+)–\d+ per million redirects/, costs[1]],
  ['README.md', /plus \$\d+–(\d+) per million redirects/, costs[2]],
  ['README.md', /An idle month of dev costs about \$(\d+)/, costs[3]],
  ['docs/cost.md', /an idle month costs about \$(\d+)/, costs[0]],
  ['docs/cost.md', /a million redirects \$(\d+)–\d+/, costs[1]],
  ['docs/cost.md', /a million redirects \$\d+–(\d+)/, costs[2]],
  ['docs/cost.md', /An idle month of dev costs about \$(\d+)/, costs[3]],
])('%s states %p as in the code', (page, says, fact) => {
  const stated = pageOf(page).match(new RegExp(says, 'g')) ?? [];
  expect(stated).not.toEqual([]);
  for (const one of stated) expect(says.exec(one)?.[1]).toBe(String(fact));
});

test.each([
  'README.md',
  'llms.txt',
  'docs/architecture.md',
  'docs/cost.md',
  'docs/deploy.md',
  'docs/runbook.md',
])('%s states that the service is untried on AWS', (page) => {
  expect(pageOf(page)).toMatch(/never been (?:deployed to an AWS account|tested on AWS)|was tested on AWS/i);
});

test('llms.txt names every generated file', () => {
  const files = textOf('bin/generate.ts').matchAll(/^ {2}'(.+?)': /gm);
  const [sentence = ''] = /what `npm run generate` writes: .*/.exec(textOf('llms.txt')) ?? [];
  expect([...files].map(([, file]) => file).filter((file) => !sentence.includes(String(file)))).toEqual([]);
});

test('the architecture page has every function', () => {
  const page = textOf('docs/architecture.md');
  expect(Object.keys(functions).filter((name) => !page.includes(`[${name}]`))).toEqual([]);
});

test("the diagram of a link's states has every status, and no other", () => {
  const [, picture = ''] = /stateDiagram-v2\n(.*?)```/s.exec(textOf('docs/short-urls.md')) ?? [];
  expect(new Set(picture.match(/\b[A-Z]{4,}\b/g))).toEqual(new Set(linkStatuses));
});
