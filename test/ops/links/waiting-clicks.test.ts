import type { JsonService } from '../../../local/base/json-service.ts';
import { startSqs } from '../../../local/sqs/endpoint.ts';
import { aQueue } from '../../../local/test/sqs/a-queue.ts';
import { localServices, type ServiceAccess } from '../../../ops/deployment/service-access.ts';
import { uncountedClicks } from '../../../ops/links/links.ts';
import { findWaitingClicks } from '../../../ops/links/waiting-clicks.ts';
import { eachAwsDouble } from '../../support/aws-double.ts';

const queueAt = (services: ServiceAccess) => ({ clickQueue: { name: 'clicks', services } });

describe('on a local stack', () => {
  const { queue, clock } = aQueue({ name: 'clicks', retentionSeconds: 86_400 });
  let sqs: JsonService;
  beforeAll(async () => {
    clock.now = Date.now();
    sqs = await startSqs({ queues: [queue], principals: new Map(), operatorKey: 'key', enforce: true });
  });
  afterAll(() => sqs.stop());
  const at = (operatorKey: string) =>
    localServices({ dynamodb: 'http://127.0.0.1:1', sqs: sqs.endpoint, operatorKey });

  test('clicks wait since the oldest message, also while the consumer has it', async () => {
    const find = () => findWaitingClicks(queueAt(at('key')));
    expect(await find()).toBeUndefined();
    await queue.send('{}', 'redirect');
    clock.now += 3_600_000;
    await queue.send('{}', 'redirect');
    queue.receive(1);
    const found = await find();
    expect(found?.clicks).toBe(2);
    const hourEarlier = Date.now() - 3_600_000;
    expect(Math.abs(Date.parse(found?.since ?? '') - hourEarlier)).toBeLessThan(60_000);
  });

  test("an unreadable queue isn't an error", async () => {
    const printed: string[] = [];
    expect(await uncountedClicks(queueAt(at('stranger')), (text) => printed.push(text))).toEqual({});
    expect(printed).toEqual([expect.stringContaining('is unknown')]);
  });
});

describe('on AWS', () => {
  const aws = eachAwsDouble();

  const answer = (values: Readonly<Record<string, number>>) =>
    aws.answers.set('monitoring:GetMetricData', ({ body }) => {
      const { MetricDataQueries: asked } = JSON.parse(body) as { MetricDataQueries: Asked[] };
      const at = Date.parse('2026-11-22T12:00:00.000Z') / 1000;
      return {
        body: {
          MetricDataResults: asked.map(({ Id, MetricStat: { Metric } }) => ({
            Id,
            Timestamps: [at, at - 60],
            Values: [values[Metric.MetricName], 99],
            StatusCode: 'Complete',
          })),
        },
      };
    });
  const find = () => findWaitingClicks(queueAt({ client: { region: 'eu-west-1' } }));

  test('CloudWatch returns how many clicks wait and since when', async () => {
    answer({
      ApproximateNumberOfMessagesVisible: 7,
      ApproximateNumberOfMessagesNotVisible: 5,
      ApproximateAgeOfOldestMessage: 1800,
    });
    expect(await find()).toEqual({ clicks: 12, since: '2026-11-22T11:30:00.000Z' });
    expect(aws.calls[0]).toMatchObject({ region: 'eu-west-1', body: expect.stringContaining('"clicks"') });
  });

  test('a queue that is empty, or was for hours, has nothing that waits', async () => {
    answer({
      ApproximateNumberOfMessagesVisible: 0,
      ApproximateNumberOfMessagesNotVisible: 0,
      ApproximateAgeOfOldestMessage: 0,
    });
    expect(await find()).toBeUndefined();
    aws.answers.set('monitoring:GetMetricData', () => ({ body: { MetricDataResults: [] } }));
    expect(await find()).toBeUndefined();
  });
});

interface Asked {
  readonly Id: string;
  readonly MetricStat: { readonly Metric: { readonly MetricName: string } };
}
