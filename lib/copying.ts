import { ArnFormat, CfnOutput, Duration, Fn, type Stack } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as iam from 'aws-cdk-lib/aws-iam';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { grantsOf } from '../core/table/access.ts';
import { copiedKinds } from '../core/table/copied-kinds.ts';
import type { ClickQueue } from './click-queue.ts';
import { ServiceFunction } from './function.ts';
import { rowOf } from './functions.ts';
import { keptQueue } from './retained.ts';
import type { FunctionSettings } from './service.ts';
import type { ShortLinks } from './short-links.ts';
import type { StandbyStack } from './standby-stack.ts';

export type Copying = ReturnType<typeof addCopying>;

/**
 * Keeps the second region's table as the service's: changed keys in a queue, and the function that copies their items.
 * That region sends late clicks to the service's queue, and has a replica of its visitors' secret.
 */
export const addCopying = (
  stack: Stack,
  service: FunctionSettings,
  standby: StandbyStack,
  { queue: clickQueue, visitorSecret }: Pick<ClickQueue, 'queue'> & Pick<ShortLinks, 'visitorSecret'>,
) => {
  const scope = new Construct(stack, 'Copying');
  const queue = new sqs.Queue(scope, 'CopyKeys', {
    // Without a dead letter queue, because a key without its item would leave the copy as it was before.
    ...keptQueue(service.config),
    // Keys of one item wait for each other, and no others.
    fifo: true,
    deduplicationScope: sqs.DeduplicationScope.MESSAGE_GROUP,
    fifoThroughputLimit: sqs.FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
    // A write without a response has ended by then.
    visibilityTimeout: Duration.minutes(2),
  });
  const secretArn = stack.formatArn({
    service: 'secretsmanager',
    region: standby.region,
    resource: 'secret',
    resourceName: Fn.select(6, Fn.split(':', visitorSecret.secretArn)),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  const copier = new ServiceFunction(scope, rowOf('copy-items'), {
    ...service,
    clickQueueUrl: clickQueue.queueUrl,
    copyTable: standby.copy.tableName,
    standbyRegion: standby.region,
    standbySecretArn: secretArn,
  });
  const writes = [{ PutItem: copiedKinds }, { DeleteItem: copiedKinds }, { UpdateItem: ['home' as const] }];
  copier.allowItems(standby.copy, grantsOf(writes));
  // More would take concurrency from visitors during a large import.
  const most = { batchSize: 10, maxConcurrency: 10 };
  copier.function.addEventSource(new SqsEventSource(queue, { ...most, reportBatchItemFailures: true }));
  new events.Rule(scope, 'Beat', {
    description: "Measures how far the second region's table is behind",
    schedule: events.Schedule.rate(Duration.minutes(1)),
    targets: [new targets.LambdaFunction(copier.function)],
  });
  /** Grants a function of the second region an action in this stack, because that one doesn't know its resources. */
  const grant = ({ node, function: { role } }: ServiceFunction, action: string, resource: string) =>
    iam.Role.fromRoleName(scope, `RoleOf${node.id}`, role?.roleName ?? '').addToPrincipalPolicy(
      new iam.PolicyStatement({ actions: [action], resources: [resource] }),
    );
  grant(standby.forward, 'sqs:SendMessage', clickQueue.queueArn);
  for (const made of [standby.redirect, standby.wellKnown])
    grant(made, 'secretsmanager:GetSecretValue', secretArn);
  new CfnOutput(stack, 'CopyKeysQueueUrl', { value: queue.queueUrl });
  new CfnOutput(stack, 'StandbyRegion', { value: standby.region });
  return { queue, copier };
};
