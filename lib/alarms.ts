import { Aws, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as sns from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { type AlarmName, descriptions, differ, type Heading } from './alarm-names.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import { percent } from './metrics.ts';

/** Alarms that need action at once, because visitors or clients fail, or clicks may be lost. Others can wait. */
const pages: ReadonlySet<string> = new Set<Heading>([
  'ApiErrors',
  'AuthorizerErrors',
  'BatchesLost',
  'ClicksLost',
  'EdgeErrors',
  'HealthCheck',
  'ReadersStopped',
  'RedirectErrors',
  'StandbyErrors',
  'TableThrottled',
]);

export interface AlarmOptions {
  /** @default 1 */
  readonly at?: number;
  /** Minutes that must be at or above the threshold. @default 3 */
  readonly minutes?: number;
  /** The metric's period in minutes. @default 1 */
  readonly each?: number;
  /** The evaluated minutes, of which `minutes` must be at or above. @default minutes */
  readonly within?: number;
  /** The metric of which the threshold is a percentage. @default none */
  readonly shareOf?: cloudwatch.IMetric;
  /** The lowest value of the metric that counts as a share. @default 5 */
  readonly atLeast?: number;
}

/** Blocked requests a minute that mean more than a few scanners. */
export const manyBlocks = { at: 500, minutes: 10 };

export type Alarms = ReturnType<typeof addAlarms>;

/** A stack's alarms, and the topic that they notify. */
export const addAlarms = (scope: Construct, config: Config) => {
  const { alarmEmail, runbookUrl, alarmTopic, alarms: overrides = {}, encryptionKey } = config;
  const all: cloudwatch.Alarm[] = [];
  const topic =
    alarmTopic ??
    new sns.Topic(scope, 'Topic', {
      displayName: `Dynamic links (${config.stage})`,
      enforceSSL: true,
      ...(encryptionKey && { masterKey: encryptionKey }),
    });
  /** A topic with its own policy has no default one, so every publisher must be named. */
  const letPublish = (service: string, to = topic): void => {
    const conditions = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };
    to.grantPublish(new iam.ServicePrincipal(service, { conditions }));
  };
  const notify = (alarm: cloudwatch.Alarm, to: sns.ITopic): void => {
    alarm.addAlarmAction(new SnsAction(to));
    alarm.addOkAction(new SnsAction(to));
  };
  /** The topic that an app gave an alarm. An alarm notifies a topic of its own region only. */
  const topicFor = (name: AlarmName): sns.ITopic | undefined => {
    const actions = overrides[name]?.actions;
    if (actions === undefined || actions === 'none') return undefined;
    const { region } = Stack.of(scope);
    if (!differ(actions.env.region, region)) {
      letPublish('cloudwatch.amazonaws.com', actions);
      return actions;
    }
    // Both regions have this one.
    if (name === 'FirewallBlocks') return topic;
    throw new ConfigError(
      `alarms.${name}.actions must be a topic in ${region}, not in ${actions.env.region}`,
    );
  };
  /** Adds an alarm that notifies no topic, except one that the app gave it. */
  const addSilent = (
    id: string,
    { heading, says }: { readonly heading: AlarmName; readonly says: string },
    metric: cloudwatch.IMetric,
    { at = 1, minutes = 3, each = 1, within = minutes, shareOf, atLeast }: AlarmOptions,
  ): cloudwatch.Alarm => {
    const alarm = new cloudwatch.Alarm(scope, id, {
      alarmDescription: `[${pages.has(heading) ? 'page' : 'ticket'}] ${says}. Runbook: ${runbookUrl}#${heading.toLowerCase()}`,
      metric: shareOf ? percent(metric, shareOf, atLeast) : metric,
      threshold: at,
      evaluationPeriods: within / each,
      ...(within > minutes && { datapointsToAlarm: minutes / each }),
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    });
    all.push(alarm);
    const given = topicFor(heading);
    if (given) notify(alarm, given);
    return alarm;
  };
  /** Adds an alarm that notifies the topic when it goes off and when it is over. */
  const add = (
    id: string,
    heading: Heading,
    metric: cloudwatch.IMetric,
    options: AlarmOptions = {},
  ): void => {
    const alarm = addSilent(id, { heading, says: descriptions[heading] }, metric, options);
    if (!overrides[heading]) notify(alarm, topic);
  };
  letPublish('cloudwatch.amazonaws.com');
  if (alarmEmail && !alarmTopic) topic.addSubscription(new EmailSubscription(alarmEmail));
  /** An alarm by its id. Throws if it wasn't added. */
  const named = (id: Heading) => scope.node.findChild(id) as cloudwatch.Alarm;
  return { topic, all, letPublish, add, addSilent, named };
};
