import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { connect, secretsManager, serviceAccess, sqs } from '../../core/table/connection.ts';
import { type SendWake, wakeQueue } from '../../core/webhooks/wake.ts';
import { operatorAccess } from './operator-access.ts';
import type { LocalStack } from './running-stack.ts';

/** What operators need of a deployment for its webhooks. */
export interface WebhookAccess {
  readonly queueUrl: string;
  /** Absent for a local stack. */
  readonly secretArn?: string | undefined;
  /** Tells the sender to look at a webhook. */
  readonly wake: SendWake;
  /** What the secrets of webhooks follow from. */
  readonly secret: () => Promise<string>;
  /** The buses that events may go to. */
  readonly eventBuses: readonly string[];
  /** Whether receivers may be on this machine. */
  readonly isLocal: boolean;
}

/** Nothing where the stack runs an older version. */
export const localWebhooks = ({
  webhooks,
  operatorKey = 'operator',
}: Pick<LocalStack, 'webhooks' | 'operatorKey'>): WebhookAccess | undefined => {
  if (!webhooks) return undefined;
  const { sqsEndpoint, queueUrl, secret, eventBuses } = webhooks;
  const environment = {
    AWS_ENDPOINT_URL_SQS: sqsEndpoint,
    AWS_ACCESS_KEY_ID: operatorKey,
    AWS_SECRET_ACCESS_KEY: 'local',
  };
  return {
    queueUrl,
    wake: wakeQueue(connect(serviceAccess(environment, 'sqs'), sqs), queueUrl),
    secret: async () => secret,
    eventBuses,
    isLocal: true,
  };
};

/** As the outputs of a stack say; nothing where it has no webhooks yet. */
export const deployedWebhooks = (
  output: (key: string) => string | undefined,
  access: DynamoDBClientConfig,
): WebhookAccess | undefined => {
  const [queueUrl, secretArn] = [output('WebhookQueueUrl'), output('WebhookSecretArn')];
  if (!queueUrl || !secretArn) return undefined;
  const wake = async () => wakeQueue(connect(await operatorAccess('sqs', access), sqs), queueUrl);
  let opened: Promise<SendWake> | undefined;
  return {
    queueUrl,
    secretArn,
    wake: async (...asked) => {
      opened ??= wake();
      return (await opened)(...asked);
    },
    secret: async () => {
      const send = connect(await operatorAccess('secretsmanager', access), secretsManager);
      const { SecretString } = await send({
        action: 'GetSecretValue',
        input: { SecretId: secretArn },
        until: Date.now() + 30_000,
        isFresh: false,
      });
      return String(SecretString);
    },
    eventBuses: output('EventBuses')?.split(',') ?? [],
    isLocal: false,
  };
};
