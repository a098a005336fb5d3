import { signedCall } from './signed-call.ts';

/** Whether a topic has subscribers: SNS drops messages until a subscription is confirmed. */
export const subscriptionStateOf = async (topicArn: string): Promise<'confirmed' | 'pending' | 'none'> => {
  const region = topicArn.split(':')[3] ?? '';
  const body = new URLSearchParams({
    Action: 'GetTopicAttributes',
    Version: '2010-03-31',
    TopicArn: topicArn,
  });
  const answer = await signedCall({
    service: 'sns',
    region,
    host: `sns.${region}.amazonaws.com`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(body),
  });
  const count = (name: string) =>
    Number(new RegExp(`<key>${name}</key>\\s*<value>(\\d+)</value>`).exec(answer)?.[1] ?? 0);
  if (count('SubscriptionsConfirmed') > 0) return 'confirmed';
  return count('SubscriptionsPending') > 0 ? 'pending' : 'none';
};
