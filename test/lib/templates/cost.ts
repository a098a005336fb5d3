import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fixedOf } from '../../../ops/cost/fixed.ts';
import { costPage } from '../../../ops/cost/page.ts';
import { withoutTraces } from '../../support/deployment.ts';

/** With it members sign in. */
const signIn = { signIn: 'https://id.example.com', signInClient: 'links', signInSecret: 'links' };
const root = path.join(import.meta.dirname, '../../..');

test('docs/cost.md is up to date with `npm run generate`', () => {
  const traces = withoutTraces();
  const page = costPage();
  traces.restore();
  expect(readFileSync(path.join(root, 'docs/cost.md'), 'utf8')).toBe(page);
});

test("a stage's fixed cost follows from its template and choices", () => {
  const traces = withoutTraces();
  const fixed = fixedOf({ stage: 'staging', like: 'prod', waf: 'off', figuresWithin: '60' });
  const members = fixedOf({ stage: 'staging', like: 'prod', ...signIn });
  traces.restore();
  expect(members).toMatchObject({ firewalls: 2, firewallRules: 10, secrets: 3 });
  expect(members.alarmMetrics).toBeGreaterThan(fixed.alarmMetrics);
  expect(fixed).toMatchObject({ firewalls: 0, firewallRules: 0, dashboards: 1, secrets: 2, queues: 2 });
  expect(fixed.alarmMetrics).toBeGreaterThan(10);
});
