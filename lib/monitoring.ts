import { Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { Alarms, firewallBlocks } from './alarms.ts';
import type { Config } from './config.ts';
import { dashboardRows } from './dashboard.ts';
import { type Measured, type Metrics, serviceMetrics } from './metrics.ts';

export interface MonitoringProps extends Measured {
  readonly config: Config;
}

/** The alarms, and the dashboard to look at then. */
export class Monitoring extends Construct {
  readonly redirectErrors: cloudwatch.Alarm;
  readonly apiErrors: cloudwatch.Alarm;
  readonly dashboardUrl: string;
  readonly alarms: Alarms;

  constructor(scope: Construct, id: string, { config, ...measured }: MonitoringProps) {
    super(scope, id);
    this.alarms = new Alarms(this, config);
    const metrics = serviceMetrics(this, measured);
    this.redirectErrors = this.watchRedirect(metrics);
    this.apiErrors = this.watchApi(metrics);
    this.watchData(metrics);
    this.watchExport(metrics);
    const dashboard = new cloudwatch.Dashboard(this, 'Dashboard', { defaultInterval: Duration.hours(3) });
    for (const row of dashboardRows(metrics, this.alarms.all, config)) dashboard.addWidgets(...row);
    const { region } = Stack.of(this);
    this.dashboardUrl = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboard.dashboardName}`;
  }

  private watchRedirect({ redirects, redirectErrors, redirectTimes, clicksLost }: Metrics): cloudwatch.Alarm {
    this.alarms.add('RedirectSlow', {
      metric: redirectTimes[1],
      threshold: 1000,
      minutes: 5,
      says: 'One visitor in a hundred waits a second or longer',
    });
    this.alarms.add('ClicksLost', {
      metric: clicksLost,
      threshold: 5,
      says: 'Visitors are redirected, but their clicks are not counted',
    });
    return this.alarms.add('RedirectErrors', {
      metric: share(redirectErrors, redirects),
      threshold: 1,
      minutes: 2,
      says: 'At least one request in a hundred to short URLs fails',
    });
  }

  private watchApi(metrics: Metrics): cloudwatch.Alarm {
    this.alarms.add('ApiSlow', {
      metric: metrics.callTimes[1],
      threshold: 2000,
      minutes: 5,
      says: 'One API call in a hundred takes two seconds or longer',
    });
    this.alarms.add('AuthorizerErrors', {
      metric: metrics.authorizerErrors,
      threshold: 5,
      says: 'Keys can not be looked up, so calls fail',
    });
    this.alarms.add('RateCounterUnavailable', {
      metric: metrics.uncountedCalls,
      threshold: 10,
      says: 'Calls pass without counting against their key',
    });
    this.alarms.add('CallsRefused', {
      metric: share(metrics.rateRefusals, metrics.calls, 50),
      threshold: 10,
      minutes: 10,
      says: 'For ten minutes one API call in ten, and fifty a minute, have been refused with 429',
    });
    if (metrics.firewallBlocks)
      this.alarms.add('FirewallBlocks', { metric: metrics.firewallBlocks, ...firewallBlocks });
    return this.alarms.add('ApiErrors', {
      metric: share(metrics.failedCalls, metrics.calls),
      threshold: 1,
      minutes: 2,
      says: 'At least one API call in a hundred fails with a 5xx',
    });
  }

  private watchData(metrics: Metrics): void {
    const late = Duration.minutes(30).toMilliseconds();
    this.alarms.add('ClicksLate', {
      metric: metrics.clicksAge,
      threshold: late,
      says: 'Click figures are more than half an hour behind; nothing is lost within 23 hours',
    });
    this.alarms.add('ExpiryLate', {
      metric: metrics.expiryAge,
      threshold: late,
      says: 'Stored states of expired links are behind; responses do not depend on them',
    });
    this.alarms.add('ConsumerErrors', {
      metric: metrics.consumerErrors,
      threshold: 1,
      // Lambda pauses between repetitions.
      minutes: 5,
      within: 15,
      says: 'A function that reads the stream of the table keeps failing',
    });
    this.alarms.add('BatchesLost', {
      metric: metrics.batchesLost,
      threshold: 1,
      minutes: 1,
      says: 'Lambda could not write a given up batch into the failures bucket',
    });
    this.alarms.add('ClicksSkipped', {
      metric: metrics.skippedRecords,
      threshold: 1,
      minutes: 1,
      says: 'A click could not be read from the stream and is missing from the figures',
    });
    this.alarms.add('FunctionsThrottled', {
      metric: metrics.functionThrottles,
      threshold: 10,
      says: 'Functions of the account have run out of concurrency',
    });
    this.alarms.add('TableThrottled', {
      metric: metrics.tableThrottles,
      threshold: 10,
      says: 'DynamoDB throttles requests to the table',
    });
  }

  private watchExport({ rows }: Metrics): void {
    if (!rows) return;
    this.alarms.add('ExportLate', {
      metric: rows.age,
      threshold: Duration.hours(1).toSeconds(),
      says: 'Rows of exported clicks have waited an hour for their file; Firehose drops them after 24 hours',
    });
    this.alarms.add('ExportRefused', {
      metric: rows.refused,
      threshold: 1,
      minutes: 1,
      says: 'Firehose could not convert a row of exported clicks, and put it under errors/',
    });
  }
}

/** Percent of a whole; a few single cases at night are not a share of anything. */
const share = (part: cloudwatch.IMetric, whole: cloudwatch.IMetric, atLeast = 5): cloudwatch.MathExpression =>
  new cloudwatch.MathExpression({
    label: 'Percent',
    expression: `IF(part >= ${atLeast}, 100 * part / whole, 0)`,
    usingMetrics: { part, whole },
    period: Duration.minutes(1),
  });
