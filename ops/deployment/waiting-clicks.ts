import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { connect } from '../../core/table/connection.ts';
import { operatorAccess, type ServiceAccess } from './service-access.ts';

/** Clicks and opens that wait in the queue, of whatever link: the queue doesn't tell whose they are. */
export interface WaitingClicks {
  readonly clicks: number;
  /** When the oldest of them came. */
  readonly since: string;
}

/** Undefined if none wait. */
export type FindWaitingClicks = () => Promise<WaitingClicks | undefined>;

export const waitingClicksOf = (queue: string, services: ServiceAccess): FindWaitingClicks =>
  services.local ? waitingLocally(queue, services) : waitingOnAws(queue, services.client);

/** By SQS's API, which on a local stack tells the age of the oldest message as well. */
const waitingLocally =
  (queue: string, services: ServiceAccess): FindWaitingClicks =>
  async () => {
    const access = await operatorAccess('sqs', services);
    const call = connect(access);
    const input = { QueueUrl: new URL(queue, access.endpoint).href, AttributeNames: ['All'] };
    const { Attributes } = await call({
      action: 'GetQueueAttributes',
      input,
      until: Date.now() + 5000,
      isFresh: true,
    });
    const told = Attributes as Readonly<Record<string, string>>;
    const clicks =
      Number(told.ApproximateNumberOfMessages) + Number(told.ApproximateNumberOfMessagesNotVisible);
    return waiting(clicks, Number(told.ApproximateAgeOfOldestMessage), new Date());
  };

/** CloudWatch has it once a minute; SQS itself tells no age. */
const waitingOnAws =
  (queueName: string, access: Pick<DynamoDBClientConfig, 'region'>): FindWaitingClicks =>
  async () => {
    const { CloudWatchClient, GetMetricDataCommand } = await import('@aws-sdk/client-cloudwatch');
    const metric = (Id: string, name: string) => ({
      Id,
      MetricStat: {
        Metric: {
          Namespace: 'AWS/SQS',
          MetricName: name,
          Dimensions: [{ Name: 'QueueName', Value: queueName }],
        },
        Period: 60,
        Stat: 'Maximum',
      },
    });
    const now = Date.now();
    const { MetricDataResults = [] } = await new CloudWatchClient(access).send(
      new GetMetricDataCommand({
        StartTime: new Date(now - 10 * 60_000),
        EndTime: new Date(now),
        ScanBy: 'TimestampDescending',
        MetricDataQueries: [
          metric('visible', 'ApproximateNumberOfMessagesVisible'),
          metric('hidden', 'ApproximateNumberOfMessagesNotVisible'),
          metric('age', 'ApproximateAgeOfOldestMessage'),
        ],
      }),
    );
    const latest = (id: string) => MetricDataResults.find(({ Id }) => Id === id);
    const value = (id: string) => latest(id)?.Values?.[0] ?? 0;
    return waiting(
      value('visible') + value('hidden'),
      value('age'),
      latest('age')?.Timestamps?.[0] ?? new Date(),
    );
  };

const waiting = (clicks: number, ageSeconds: number, at: Date): WaitingClicks | undefined =>
  clicks === 0 ? undefined : { clicks, since: new Date(at.getTime() - ageSeconds * 1000).toISOString() };
