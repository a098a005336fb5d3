import { connect } from '../../core/table/connection.ts';
import { type SendWake, wakeQueue } from '../../core/webhooks/wake.ts';
import { type Outputs, operatorAccess, type ServiceAccess } from './service-access.ts';

export interface WebhookAccess {
  readonly queueUrl: string;
  /** Absent for a local stack. */
  readonly secretArn?: string | undefined;
  /** Wakes the webhook sender for a webhook. */
  readonly wake: SendWake;
  readonly secret: () => Promise<string>;
  readonly eventBuses: readonly string[];
  /** Whether receivers may be on this machine. */
  readonly isLocal: boolean;
}

/** The access to webhooks; undefined if the stack was deployed before it had them. */
export const webhookAccessOf = (outputs: Outputs, services: ServiceAccess): WebhookAccess | undefined => {
  const { WebhookQueueUrl: queueUrl, WebhookSecretArn: secretArn, EventBuses = '' } = outputs;
  if (!queueUrl || !secretArn) return undefined;
  const { local } = services;
  const open = async () => wakeQueue(connect(await operatorAccess('sqs', services)), queueUrl);
  let opened: Promise<SendWake> | undefined;
  return {
    queueUrl,
    ...(!local && { secretArn }),
    wake: async (...asked) => {
      opened ??= open();
      return (await opened)(...asked);
    },
    secret: async () => (local ? (local.webhookSecret ?? '') : secretOf(secretArn, services)),
    eventBuses: EventBuses.split(',').filter((bus) => bus !== ''),
    isLocal: local !== undefined,
  };
};

const secretOf = async (secretArn: string, services: ServiceAccess): Promise<string> => {
  const send = connect(await operatorAccess('secretsmanager', services));
  const { SecretString } = await send({
    action: 'GetSecretValue',
    input: { SecretId: secretArn },
    until: Date.now() + 30_000,
    isFresh: false,
  });
  return String(SecretString);
};
