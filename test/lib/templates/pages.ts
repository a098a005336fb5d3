import { ownMetrics, stackPages } from '../../../bin/stack-pages.ts';
import { withoutTraces } from '../../support/deployment.ts';
import { filesIn, textOf } from '../../support/source-files.ts';

test('the pages of alarms, metrics and rights are up to date with `npm run generate`', () => {
  const traces = withoutTraces();
  const pages = stackPages();
  traces.restore();
  for (const [file, page] of Object.entries(pages)) expect(textOf(file)).toBe(page);
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
