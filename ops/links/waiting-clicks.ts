import { metricQuery, metricValues } from '../aws/metric-values.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import { type QueueAccess, queueCounts } from '../deployment/queue-calls.ts';
import type { ServiceAccess } from '../deployment/service-access.ts';

/** Clicks and opens of any link that wait in the queue, which can't be searched by link. */
export interface WaitingClicks {
  readonly clicks: number;
  /** Time of the oldest. */
  readonly since: string;
}

/** Finds waiting clicks; undefined if there are none. */
export const findWaitingClicks = async ({
  clickQueue,
}: Pick<DeploymentAccess, 'clickQueue'>): Promise<WaitingClicks | undefined> => {
  if (!clickQueue) return undefined;
  const { name, services } = clickQueue;
  return services.local ? waitingLocally(clickQueue) : waitingOnAws(name, services.client);
};

/** Uses SQS's API, which on a local stack also returns the age of the oldest message. */
const waitingLocally = async (queue: QueueAccess) => {
  const { messages, ageSeconds } = await queueCounts(queue);
  return waiting(messages, ageSeconds, new Date());
};

/** Uses CloudWatch's values by minute, because SQS doesn't return ages. */
const waitingOnAws = async (queue: string, client: ServiceAccess['client']) => {
  const metric = (id: string, name: string) =>
    metricQuery(id, {
      namespace: 'AWS/SQS',
      name,
      dimensions: { QueueName: queue },
      seconds: 60,
      statistic: 'Maximum',
    });
  const results = await metricValues(client, 10, [
    metric('visible', 'ApproximateNumberOfMessagesVisible'),
    metric('hidden', 'ApproximateNumberOfMessagesNotVisible'),
    metric('age', 'ApproximateAgeOfOldestMessage'),
  ]);
  const value = (id: string) => results.get(id)?.Values?.[0] ?? 0;
  const at = results.get('age')?.Timestamps?.[0] ?? new Date();
  return waiting(value('visible') + value('hidden'), value('age'), at);
};

const waiting = (clicks: number, ageSeconds: number, at: Date): WaitingClicks | undefined =>
  clicks === 0 ? undefined : { clicks, since: new Date(at.getTime() - ageSeconds * 1000).toISOString() };
