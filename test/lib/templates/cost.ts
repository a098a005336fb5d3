import { readFileSync } from 'node:fs';
import path from 'node:path';
import { currentCostPage, fixedOf, signIn } from '../../../ops/cost/current.ts';
import { withoutTraces } from '../../support/deployment.ts';
import { synthesizedStack } from '../../support/template.ts';

const root = path.join(import.meta.dirname, '../../..');

test('docs/cost.md is what `npm run generate` writes', () => {
  const traces = withoutTraces();
  const page = currentCostPage();
  traces.restore();
  expect(readFileSync(path.join(root, 'docs/cost.md'), 'utf8')).toBe(page);
});

test('plans are offered that take what the distribution has, and the page says why others are not', () => {
  const template = synthesizedStack({ stage: 'prod' });
  const policies = Object.keys(template.findResources('AWS::CloudFront::CachePolicy')).length;
  const [distribution] = Object.values(template.findResources('AWS::CloudFront::Distribution'));
  const behaviors = distribution?.Properties.DistributionConfig.CacheBehaviors.length;
  const page = readFileSync(path.join(root, 'docs/cost.md'), 'utf8').replaceAll(/\s+/g, ' ');
  expect(page).toContain(`take no cache policies of one's own, of which the distribution has ${policies}`);
  expect(page).toContain(`allows ${behaviors} behaviours`);
  const offered = [...page.matchAll(/- \*\*(\w+)\*\*, \d+ dollars a month/g)].map(([, name]) => name);
  expect(offered).toEqual(['Business', 'Premium']);
});

test('what a stage costs by being there follows from its template and choices', () => {
  const traces = withoutTraces();
  const { fixed, config } = fixedOf({ stage: 'staging', like: 'prod', waf: 'off', figuresWithin: '60' });
  const members = fixedOf({ stage: 'staging', like: 'prod', ...signIn }).fixed;
  traces.restore();
  expect(members).toMatchObject({ firewalls: 2, firewallRules: 7, secrets: 3 });
  expect(members.alarmMetrics).toBeGreaterThan(fixed.alarmMetrics);
  expect(config).toMatchObject({ like: 'prod', figuresWithin: 60 });
  expect(fixed).toMatchObject({ firewalls: 0, firewallRules: 0, dashboards: 1, secrets: 2, queues: 2 });
  expect(fixed.ownMetrics).toBeGreaterThan(0);
  expect(fixed.alarmMetrics).toBeGreaterThan(fixed.ownMetrics);
});
