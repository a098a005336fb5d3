import { constructTypes } from '../../../bin/construct-types.ts';
import { ownMetrics, stackPages } from '../../../bin/stack-pages.ts';
import type * as installed from '../../../construct/index.js';
import type { StageSettings } from '../../../lib/settings.ts';
import type { DynamicLinkStack, DynamicLinkStackProps } from '../../../lib/stack.ts';
import { withoutTraces } from '../../support/deployment.ts';
import { filesIn, textOf } from '../../support/source-files.ts';

test('the page of metrics, the permissions of deploy.md and the types of construct/ are up to date with `npm run generate`', () => {
  const traces = withoutTraces();
  const pages = { ...stackPages(), 'construct/lists.d.ts': constructTypes() };
  traces.restore();
  for (const [file, page] of Object.entries(pages)) expect(textOf(file)).toBe(page);
});

/** Whether each of two types accepts the other. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

test('the types of construct/ are those of lib', () => {
  const settings: Same<installed.StageSettings, StageSettings> = true;
  const props: Same<installed.DynamicLinkStackProps, DynamicLinkStackProps> = true;
  const members: Same<keyof installed.DynamicLinkStack, keyof DynamicLinkStack> = true;
  expect([settings, props, members]).toEqual([true, true, true]);
});

test('the page of metrics has each that a function or the access log writes', () => {
  const sources = [...['core', 'lambdas'].flatMap(filesIn), 'lib/metrics.ts'].map(textOf);
  const written = [
    /(?:\w+Metric|lost|count)\(\s*'([A-Z]\w+)'/g,
    /^ {2}(\w+): \['\w+', (?:stringValue|all)/gm,
    /'(\w+Unread|\w+Stale)'/g,
  ].flatMap((call) => sources.flatMap((source) => [...source.matchAll(call)].map(([, name = '']) => name)));
  expect(Object.keys(ownMetrics)).toEqual([...new Set(written)].sort());
});
