import { type Access, grantsOf } from '../../core/table/access.ts';
import { type Partition, partitions, tableSchema } from '../../core/table/keys.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import type { QueueAccess } from '../deployment/queue-calls.ts';
import type { WebhookAccess } from '../deployment/webhook-access.ts';
import type { PolicyLevel } from './operator-ranks.ts';

/** The resources of a policy. */
export interface PolicyScope extends Pick<DeploymentAccess, 'tableName' | 'takedownTable'> {
  /** Absent if the stack was deployed before it had webhooks. */
  readonly webhooks?: Pick<WebhookAccess, 'queueUrl' | 'secretArn'> | undefined;
  /** Absent without a second region. */
  readonly copyKeys?: Pick<QueueAccess, 'name'> | undefined;
  /** Absent for a local stack. */
  readonly stack?: string | undefined;
}

interface Statement {
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Readonly<Record<string, unknown>>;
}

/** Readable partitions: all except visitors, attempts and sign-ins, which no command reads. */
const readable = (Object.keys(partitions) as Partition[]).filter(
  (kind) => !['visitor', 'idempotency', 'session', 'signedIn'].includes(kind),
);

const reads: Access = { BatchGetItem: readable, GetItem: readable, Query: readable };

/** The writes of takedowns: each entry is one transaction. */
const takedowns: Readonly<Record<string, Access>> = {
  'destination block': { UpdateItem: ['blocked'] },
  'destination unblock': { DeleteItem: ['blocked'] },
  'key revoke': { UpdateItem: ['apiKey', 'rate'] },
  "key revoke, of a member's": { UpdateItem: ['memberKey', 'rate'] },
  'link block and unblock': { UpdateItem: ['link'] },
  'project resume': { DeleteItem: ['suspended'], UpdateItem: ['project'] },
  'project suspend': { PutItem: ['suspended'], UpdateItem: ['project'] },
};

/** An IAM policy for the commands of this rank. It has tables by name, in any account and region. */
export const operatorPolicy = (
  rank: PolicyLevel,
  { tableName, takedownTable, webhooks, stack, copyKeys }: PolicyScope,
) => {
  const table = arnOf('dynamodb', `table/${tableName}`);
  const listings = `${table}/index/${tableSchema.listings.name}`;
  const record = takedownTable === undefined ? [] : [arnOf('dynamodb', `table/${takedownTable}`)];
  const onRecord = (...actions: string[]) => (record.length > 0 ? [allow(actions, record)] : []);
  const granted = (needs: readonly Access[]) =>
    grantsOf(needs).map(({ actions, leadingKeys }) =>
      allow(actions, [table], { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': leadingKeys } }),
    );
  const describe = stack === undefined ? [] : [describeStack(stack), readMetrics];
  const looks = [...describe, ...granted([reads]), allow(['Query'], [listings]), ...onRecord('Query')];
  const statements = {
    read: looks,
    takedowns: [...looks, ...granted(Object.values(takedowns)), ...onRecord('PutItem'), ...wake(webhooks)],
    all: [
      ...describe,
      allow(everyAction, [table, listings, ...record]),
      ...wake(webhooks),
      ...readSecret(webhooks),
    ],
  };
  const standby = stack && copyKeys ? onStandby(rank, `${stack}-standby`, copyKeys.name) : [];
  return { Version: '2012-10-17', Statement: [...statements[rank], ...standby] };
};

/** Lets commands work on the second region: everybody shows it, takedowns hide links, and all the rest needs `all`. */
const onStandby = (rank: PolicyLevel, stack: string, copyKeys: string): readonly Statement[] => {
  const copy = [arnOf('dynamodb', `table/${stack}-*`)];
  const hides = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [partitions.hidden] } };
  const granted = {
    read: [allow(['GetItem', 'Query', 'Scan'], copy)],
    takedowns: [allow(['GetItem', 'Query', 'Scan'], copy), allow(['PutItem'], copy, hides)],
    all: [allow(everyAction, copy), mayOnQueue('SendMessage', copyKeys)],
  };
  return [describeStack(stack), mayOnQueue('GetQueueAttributes', `${stack}-*`), ...granted[rank]];
};

const arnOf = (service: string, resource: string): string => `arn:aws:${service}:*:*:${resource}`;

const allow = (
  actions: readonly string[],
  resources: readonly string[],
  condition?: Statement['Condition'],
): Statement => ({
  Effect: 'Allow',
  Action: actions.map((action) => `dynamodb:${action}`),
  Resource: resources,
  ...(condition && { Condition: condition }),
});

/** Lets `link show` find waiting clicks. Metrics have no resources of their own. */
const readMetrics: Statement = { Effect: 'Allow', Action: ['cloudwatch:GetMetricData'], Resource: ['*'] };

/** Lets commands wake the webhook sender after a project is resumed or a webhook changes. */
const wake = (webhooks: PolicyScope['webhooks']): readonly Statement[] => {
  return webhooks === undefined ? [] : [mayOnQueue('SendMessage', webhooks.queueUrl)];
};

const mayOnQueue = (action: string, queue: string): Statement => ({
  Effect: 'Allow',
  Action: [`sqs:${action}`],
  Resource: [arnOf('sqs', queue.split('/').at(-1) ?? '')],
});

/** Lets operators see a webhook's secret when they create or rotate it. This root secret reveals all of them. */
const readSecret = (webhooks: PolicyScope['webhooks']): readonly Statement[] =>
  webhooks?.secretArn === undefined
    ? []
    : [{ Effect: 'Allow', Action: ['secretsmanager:GetSecretValue'], Resource: [webhooks.secretArn] }];

/** Lets commands find the tables by the stack's outputs. */
const describeStack = (stack: string): Statement => ({
  Effect: 'Allow',
  Action: ['cloudformation:DescribeStacks'],
  Resource: [arnOf('cloudformation', `stack/${stack}/*`)],
});

/** All actions on items; none deletes or changes a table. */
const everyAction = [
  'BatchGetItem',
  'BatchWriteItem',
  'ConditionCheckItem',
  'DeleteItem',
  'DescribeTable',
  'GetItem',
  'PutItem',
  'Query',
  'Scan',
  'UpdateItem',
];
