import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Config } from './config.ts';
import type { Metrics } from './metrics.ts';

const width = 24;

/** Rows from what users notice down to what causes it. */
export const dashboardRows = (
  metrics: Metrics,
  alarms: cloudwatch.IAlarm[],
  { stage, runbookUrl }: Config,
): cloudwatch.IWidget[][] => [
  [
    new cloudwatch.TextWidget({
      markdown: `# Dynamic links (${stage})\nRed alarms first; each links to its section of the runbook (${runbookUrl}). Left: short URLs. Right: API. Below: table and functions.`,
      width,
      height: 2,
    }),
  ],
  [new cloudwatch.AlarmStatusWidget({ title: 'Alarms', alarms, width, height: 4 })],
  [
    graph('Short URLs: traffic', [metrics.visits, metrics.redirects]),
    graph('API: traffic', [metrics.calls, metrics.refusedCalls, metrics.rateRefusals]),
  ],
  [
    graph('Short URLs: what visitors get at the edge (percent)', [
      metrics.edgeFailures,
      metrics.edgeRefusals,
    ]),
    graph('Throttles, and what the firewall blocks', [
      metrics.tableThrottles,
      metrics.functionThrottles,
      ...(metrics.firewallBlocks ? [metrics.firewallBlocks] : []),
    ]),
  ],
  [
    graph('Short URLs: errors, lost clicks and what was not read', [
      metrics.redirectErrors,
      metrics.clicksLost,
      ...metrics.unread,
    ]),
    graph('API: errors', [metrics.failedCalls, metrics.authorizerErrors, metrics.uncountedCalls]),
  ],
  [
    graph('Short URLs: time in the redirect (ms)', metrics.redirectTimes),
    graph('API: time to answer (ms)', metrics.callTimes),
  ],
  [
    graph('Click figures: how far behind (ms)', [metrics.clicksAge, metrics.expiryAge]),
    graph('Click figures: failed batches, skipped records', [metrics.consumerErrors, metrics.skippedRecords]),
  ],
  [
    graph('Clicks in the queue', [metrics.clicksWaiting, metrics.clicksQueued, metrics.clicksUndeliverable]),
    graph('Clicks in the queue: the oldest (s), uncertain ones', [
      metrics.oldestWaiting,
      metrics.clicksUncertain,
    ]),
  ],
  [
    graph('Webhooks: failing, sender errors', [metrics.failingWebhooks, metrics.senderErrors]),
    graph('Webhooks: the oldest message to the sender (s)', [metrics.oldestWake]),
  ],
  [graph('Table: units consumed', [metrics.readUnits, metrics.writeUnits])],
];

const graph = (title: string, left: cloudwatch.IMetric[]): cloudwatch.GraphWidget =>
  new cloudwatch.GraphWidget({
    title,
    left: [...left],
    leftYAxis: { min: 0 },
    width: width / 2,
    height: 5,
  });
