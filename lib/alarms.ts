import { Aws } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as sns from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Config } from './config.ts';

interface AlarmOptions {
  /** Minutes that must be at or above the threshold. @default 3 */
  readonly minutes?: number;
  /** Among how many minutes. @default minutes */
  readonly within?: number;
  /** The runbook's heading. @default the alarm's id */
  readonly section?: string;
  /** Whether it sends mail. @default true */
  readonly notifies?: boolean;
}

/** `says` what has happened, in one sentence. */
export type AlarmRow = readonly [
  metric: cloudwatch.IMetric,
  threshold: number,
  says: string,
  options?: AlarmOptions,
];

/** When a firewall blocks more than a few scanners. */
export const firewallBlocks = (blocked: cloudwatch.IMetric): AlarmRow => [
  blocked,
  500,
  'For ten minutes the firewall has blocked five hundred requests a minute',
  { minutes: 10, section: 'FirewallBlocks' },
];

/** The alarms of one stack and the topic that people subscribe to. */
export class Alarms {
  readonly topic: sns.Topic;
  readonly all: cloudwatch.Alarm[] = [];
  private readonly scope: Construct;
  private readonly runbookUrl: string;

  constructor(scope: Construct, { stage, alarmEmail, runbookUrl }: Config) {
    this.scope = scope;
    this.runbookUrl = runbookUrl;
    this.topic = new sns.Topic(scope, 'Topic', {
      displayName: `Dynamic links (${stage})`,
      enforceSSL: true,
    });
    this.letPublish('cloudwatch.amazonaws.com');
    if (alarmEmail) this.topic.addSubscription(new EmailSubscription(alarmEmail));
  }

  /** A topic with a policy loses the default one, so every publisher must be named. */
  letPublish(service: string): void {
    this.topic.addToResourcePolicy(
      new iam.PolicyStatement({
        actions: ['sns:Publish'],
        principals: [new iam.ServicePrincipal(service)],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
  }

  /** Adds an alarm. The topic gets a message when it goes off and when it is over, if the alarm notifies. */
  add(id: string, [metric, threshold, says, options = {}]: AlarmRow): cloudwatch.Alarm {
    const { minutes = 3, within = minutes, section = id, notifies = true } = options;
    const alarm = new cloudwatch.Alarm(this.scope, id, {
      alarmDescription: `${says}. Runbook: ${this.runbookUrl}#${section.toLowerCase()}`,
      metric,
      threshold,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: within,
      ...(within > minutes && { datapointsToAlarm: minutes }),
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    });
    if (notifies) {
      alarm.addAlarmAction(new SnsAction(this.topic));
      alarm.addOkAction(new SnsAction(this.topic));
    }
    this.all.push(alarm);
    return alarm;
  }

  /** Throws for an id that was not added. */
  named(id: string): cloudwatch.Alarm {
    return this.scope.node.findChild(id) as cloudwatch.Alarm;
  }
}
