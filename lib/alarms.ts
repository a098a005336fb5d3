import { Aws } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as sns from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Config } from './config.ts';
import { percent } from './metrics.ts';

/** Descriptions of alarms by the runbook's headings. */
const words = {
  ApiErrors: 'At least one API call in a hundred fails with a 5xx',
  ApiSlow: 'One API call in a hundred, of a hundred or more a minute, takes two seconds or longer',
  AuthorizerErrors: 'Keys can not be looked up, so calls fail',
  BatchesLost: 'Lambda could not write a failed batch into the failures bucket',
  CallsRefused: 'For ten minutes one API call in ten, and fifty a minute, have been refused with 429',
  ClicksLate: 'Click analytics are more than half an hour behind; nothing is lost within 23 hours',
  ClicksLost:
    'Neither the table nor the queue has taken a click; its visitor was redirected, but it is not counted',
  ClicksSkipped: 'A click could not be read from the stream and is missing from the analytics',
  ClicksUndeliverable: 'Clicks could not be counted in a thousand attempts and lie in the dead letter queue',
  ClicksWaiting: 'Clicks have waited for half an hour to be counted; nothing is lost within two weeks',
  ConsumerErrors: 'A function that reads the stream of the table keeps failing',
  EdgeErrors: 'CloudFront responds with a 5xx to at least one visitor in a hundred, and five a minute',
  EdgeRefusals: 'For ten minutes half of a thousand or more requests a minute have got a 4xx',
  ExpiryLate: 'Stored states of expired links and events are behind; responses do not depend on them',
  ExportDelayed: 'Firehose has not taken rows of exported clicks; they wait as files in the failures bucket',
  ExportLate:
    'Rows of exported clicks have waited an hour for their file; Firehose drops them after 24 hours',
  ExportLost:
    'Neither Firehose nor the failures bucket has taken rows of exported clicks; analytics are right',
  ExportRefused: 'Firehose could not convert a row of exported clicks, and put it under errors/',
  FirewallBlocks: 'For ten minutes the firewall has blocked five hundred requests a minute',
  FunctionsThrottled: 'Functions of the account have run out of concurrency',
  HealthCheck: 'Route 53 does not reach the short host',
  RateCounterUnavailable: 'Calls can not be counted: reads pass, writes are refused',
  ReadersStopped:
    'For three quarters of an hour clicks have been written, and a reader of the stream has not run; after 24 hours they are lost',
  RedirectErrors: 'At least one request in a hundred to short URLs fails',
  RedirectSlow: 'One visitor in a hundred waits a second or longer',
  SenderErrors:
    'The function that sends events to webhooks keeps failing; its messages are redelivered for two weeks',
  SignInErrors: 'Members can not sign in: the identity provider is away, or the function fails',
  TableThrottled: 'DynamoDB throttles requests to the table',
  WebhooksFailing:
    'A webhook has failed for an hour, or got nothing for six, and its clicks and opens are dropped',
} as const;

export type Heading = keyof typeof words;

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
export const addAlarms = (scope: Construct, { stage, alarmEmail, runbookUrl }: Config) => {
  const all: cloudwatch.Alarm[] = [];
  const topic = new sns.Topic(scope, 'Topic', {
    displayName: `Dynamic links (${stage})`,
    enforceSSL: true,
  });
  /** A topic with its own policy has no default one, so every publisher must be named. */
  const letPublish = (service: string): void => {
    const conditions = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };
    topic.grantPublish(new iam.ServicePrincipal(service, { conditions }));
  };
  /** Adds an alarm without notifications. */
  const addSilent = (
    id: string,
    { heading, says }: { readonly heading: string; readonly says: string },
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
    return alarm;
  };
  /** Adds an alarm that notifies the topic when it goes off and when it is over. */
  const add = (
    id: string,
    heading: Heading,
    metric: cloudwatch.IMetric,
    options: AlarmOptions = {},
  ): void => {
    const alarm = addSilent(id, { heading, says: words[heading] }, metric, options);
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
  };
  letPublish('cloudwatch.amazonaws.com');
  if (alarmEmail) topic.addSubscription(new EmailSubscription(alarmEmail));
  /** An alarm by its id. Throws if it wasn't added. */
  const named = (id: Heading) => scope.node.findChild(id) as cloudwatch.Alarm;
  return { topic, all, letPublish, add, addSilent, named };
};
