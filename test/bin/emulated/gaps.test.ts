import { gaps, reduced, type SmokeLine, surprises } from '../../../bin/emulated/gaps.ts';

const expected = gaps.flatMap(({ fails }) => fails ?? []);
/** Smoke's results with exactly the known gaps. */
const asListed: readonly SmokeLine[] = [
  { name: 'links are created', result: 'ok', detail: '' },
  ...expected.map(({ check, saying }) => ({ name: check, result: 'failed', detail: said(saying) })),
];
function said(pattern: RegExp): string {
  const text = pattern.source.split('|')[0]?.replace('\\d+', '9') ?? '';
  expect(text).toMatch(pattern);
  return text;
}

test('the known gaps are not reported', () => {
  expect(expected.length).toBeGreaterThan(0);
  expect(surprises(asListed)).toEqual([]);
});

test('an unknown failing check is reported', () => {
  const failed = { name: 'links are created', result: 'failed', detail: 'answered 500' };
  expect(surprises([failed, ...asListed.slice(1)])).toEqual(['links are created: answered 500']);
});

test('a known gap that fails for another reason is reported', () => {
  const [first, second, ...others] = asListed;
  if (!first || !second) throw new Error('the list is empty');
  expect(surprises([first, { ...second, detail: 'answered 500' }, ...others])).toEqual([
    `${second.name}: answered 500`,
  ]);
});

test('a known gap that no longer fails, or no longer exists, is reported', () => {
  const [first, second, ...others] = asListed;
  if (!first || !second) throw new Error('the list is empty');
  const stale = [`'${second.name}' does not fail any more: take it off the list`];
  expect(surprises([first, { ...second, result: 'ok', detail: '' }, ...others])).toEqual(stale);
  expect(surprises([first, ...others])).toEqual(stale);
});

test('an alarm on an expression watches its first metric; other resources stay unchanged', () => {
  const metric = { Namespace: 'AWS/Lambda', MetricName: 'Errors', Dimensions: [{ Name: 'F', Value: 'x' }] };
  const table = { Type: 'AWS::DynamoDB::Table', Properties: { BillingMode: 'PAY_PER_REQUEST' } };
  const { Resources } = reduced({
    Resources: {
      Table: table,
      Alarm: {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: {
          Threshold: 1,
          Metrics: [
            { Id: 'e', Expression: 'a' },
            { Id: 'a', MetricStat: { Metric: metric, Period: 60, Stat: 'Sum' } },
          ],
        },
      },
    },
  });
  expect(Resources).toEqual({
    Table: table,
    Alarm: {
      Type: 'AWS::CloudWatch::Alarm',
      Properties: { Threshold: 1, ...metric, Period: 60, Statistic: 'Sum' },
    },
  });
});
