import { Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { type AlarmRow, Alarms, firewallBlocks } from './alarms.ts';
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
    for (const [id, row] of Object.entries(alarmRows(metrics))) this.alarms.add(id, row);
    this.redirectErrors = this.alarms.named('RedirectErrors');
    this.apiErrors = this.alarms.named('ApiErrors');
    const dashboard = new cloudwatch.Dashboard(this, 'Dashboard', { defaultInterval: Duration.hours(3) });
    for (const row of dashboardRows(metrics, this.alarms.all, config)) dashboard.addWidgets(...row);
    const { region } = Stack.of(this);
    this.dashboardUrl = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboard.dashboardName}`;
  }
}

const halfAnHour = Duration.minutes(30).toMilliseconds();

/** The alarms of the service by their headings in the runbook. */
const alarmRows = (m: Metrics): AlarmRows => ({
  ...visitRows(m),
  ...callRows(m),
  ...backgroundRows(m),
  ...(m.rows && exportRows(m.rows)),
});

type AlarmRows = Readonly<Record<string, AlarmRow>>;

const visitRows = (m: Metrics): AlarmRows => ({
  RedirectSlow: [
    m.redirectTimes[1],
    1000,
    'One visitor in a hundred waits a second or longer',
    { minutes: 5 },
  ],
  ClicksLost: [
    m.clicksLost,
    1,
    'Neither the table nor the queue has taken a click; its visitor was redirected, but it is not counted',
    { minutes: 1 },
  ],
  ClicksWaiting: [
    m.oldestWaiting,
    Duration.minutes(30).toSeconds(),
    'Clicks have waited for half an hour to be counted; nothing is lost within two weeks',
  ],
  ClicksUndeliverable: [
    m.clicksUndeliverable,
    1,
    'Clicks could not be counted in a hundred attempts and lie in the dead letter queue',
    { minutes: 1 },
  ],
  RedirectErrors: [
    share(m.redirectErrors, m.redirects),
    1,
    'At least one request in a hundred to short URLs fails',
    { minutes: 2 },
  ],
});

const callRows = (m: Metrics): AlarmRows => ({
  ApiSlow: [m.callTimes[1], 2000, 'One API call in a hundred takes two seconds or longer', { minutes: 5 }],
  AuthorizerErrors: [m.authorizerErrors, 5, 'Keys can not be looked up, so calls fail'],
  RateCounterUnavailable: [m.uncountedCalls, 10, 'Calls can not be counted: reads pass, writes are refused'],
  CallsRefused: [
    share(m.rateRefusals, m.calls, 50),
    10,
    'For ten minutes one API call in ten, and fifty a minute, have been refused with 429',
    { minutes: 10 },
  ],
  ...(m.firewallBlocks && { FirewallBlocks: firewallBlocks(m.firewallBlocks) }),
  ApiErrors: [
    share(m.failedCalls, m.calls),
    1,
    'At least one API call in a hundred fails with a 5xx',
    { minutes: 2 },
  ],
});

/** What happens behind the answers: readers of the table's stream, events, and limits that all share. */
const backgroundRows = (m: Metrics): AlarmRows => ({
  ClicksLate: [
    m.clicksAge,
    halfAnHour,
    'Click figures are more than half an hour behind; nothing is lost within 23 hours',
  ],
  ExpiryLate: [
    m.expiryAge,
    halfAnHour,
    'Stored states of expired links and events are behind; responses do not depend on them',
  ],
  WebhooksFailing: [
    m.failingWebhooks,
    1,
    'A webhook has failed for an hour, or nothing has got through to it for six and clicks and opens are dropped',
    // It is said again with each turn, which come every quarter of an hour at least.
    { minutes: 1, within: 20 },
  ],
  SenderErrors: [
    m.senderErrors,
    1,
    'The function that sends events to webhooks keeps failing; its messages come again for two weeks',
    { minutes: 5, within: 15 },
  ],
  ConsumerErrors: [
    m.consumerErrors,
    1,
    'A function that reads the stream of the table keeps failing',
    // Lambda pauses between repetitions.
    { minutes: 5, within: 15 },
  ],
  BatchesLost: [
    m.batchesLost,
    1,
    'Lambda could not write a given up batch into the failures bucket',
    { minutes: 1 },
  ],
  ClicksSkipped: [
    m.skippedRecords,
    1,
    'A click could not be read from the stream and is missing from the figures',
    { minutes: 1 },
  ],
  FunctionsThrottled: [m.functionThrottles, 10, 'Functions of the account have run out of concurrency'],
  TableThrottled: [m.tableThrottles, 10, 'DynamoDB throttles requests to the table'],
});

const exportRows = (rows: NonNullable<Metrics['rows']>): AlarmRows => ({
  ExportLate: [
    rows.age,
    Duration.hours(1).toSeconds(),
    'Rows of exported clicks have waited an hour for their file; Firehose drops them after 24 hours',
  ],
  ExportDelayed: [
    rows.delayed,
    1,
    'Firehose has not taken rows of exported clicks; they wait as files in the failures bucket',
    { minutes: 1 },
  ],
  ExportLost: [
    rows.lost,
    1,
    'Neither Firehose nor the failures bucket has taken rows of exported clicks; figures are right',
    { minutes: 1 },
  ],
  ExportRefused: [
    rows.refused,
    1,
    'Firehose could not convert a row of exported clicks, and put it under errors/',
    { minutes: 1 },
  ],
});

/** Percent of a whole; a few single cases at night are not a share of anything. */
const share = (part: cloudwatch.IMetric, whole: cloudwatch.IMetric, atLeast = 5): cloudwatch.MathExpression =>
  new cloudwatch.MathExpression({
    label: 'Percent',
    expression: `IF(part >= ${atLeast}, 100 * part / whole, 0)`,
    usingMetrics: { part, whole },
    period: Duration.minutes(1),
  });
