import { connect } from '../../core/table/connection.ts';
import { operatorAccess, type ServiceAccess } from './service-access.ts';

/** A queue by its URL, or on a local stack also by its name. */
export interface QueueAccess {
  readonly name: string;
  readonly services: ServiceAccess;
}

/** Opens SQS's API without its SDK. */
const queueCalls = async ({ name, services }: QueueAccess) => {
  const access = await operatorAccess('sqs', services);
  const send = connect(access);
  const QueueUrl = new URL(name, access.endpoint).href;
  return (action: string, input: object) =>
    send({ action, input: { QueueUrl, ...input }, until: Date.now() + 5000, isFresh: true });
};

/** The numbers of a queue's messages, which SQS approximates; a local stack also returns the oldest one's age. */
export const queueCounts = async (queue: QueueAccess) => {
  const call = await queueCalls(queue);
  const { Attributes } = await call('GetQueueAttributes', { AttributeNames: ['All'] });
  const {
    ApproximateNumberOfMessages: visible,
    ApproximateNumberOfMessagesNotVisible: hidden,
    ApproximateNumberOfMessagesDelayed: delayed = 0,
    ApproximateAgeOfOldestMessage: age,
  } = Attributes as Readonly<Record<string, string>>;
  return { messages: Number(visible) + Number(hidden) + Number(delayed), ageSeconds: Number(age) };
};
