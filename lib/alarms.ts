import { Aws } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as sns from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Config } from './config.ts';

export interface AlarmProps {
  readonly metric: cloudwatch.IMetric;
  readonly threshold: number;
  /** Minutes that must be at or above the threshold. @default 3 */
  readonly minutes?: number;
  /** Among how many minutes. @default minutes */
  readonly within?: number;
  /** What has happened, in one sentence. */
  readonly says: string;
  /** The runbook's heading. @default the alarm's id */
  readonly section?: string;
  /** Whether it sends mail. @default true */
  readonly notifies?: boolean;
}

/** When a firewall blocks more than a few scanners. */
export const firewallBlocks = {
  threshold: 500,
  minutes: 10,
  says: 'For ten minutes the firewall has blocked five hundred requests a minute',
} as const;

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

  /** The id is its heading in the runbook. The topic gets a message when it goes off and when it is over. */
  add(id: string, { section = id, notifies = true, ...props }: AlarmProps): cloudwatch.Alarm {
    const { metric, threshold, minutes = 3, within = minutes, says } = props;
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
}
