import { Duration, type Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { addAlarms } from './alarms.ts';
import type { Config } from './config.ts';
import { graphs, type Measured, type MonitoredMetric, monitoredMetrics } from './monitored-metrics.ts';
import { stackNameOf } from './stack-names.ts';

export type Monitoring = ReturnType<typeof addMonitoring>;

/** The stack's alarms and dashboard. */
export const addMonitoring = (stack: Stack, config: Config, measured: Measured) => {
  const scope = new Construct(stack, 'Monitoring');
  const alarms = addAlarms(scope, config);
  const all = monitoredMetrics(scope, measured);
  for (const [, metric, alarm] of all) if (alarm) alarms.add(alarm.alarm, alarm.alarm, metric, alarm);
  const dashboard = new cloudwatch.Dashboard(scope, 'Dashboard', { defaultInterval: Duration.hours(3) });
  dashboard.addWidgets(heading(stack.stackName, config));
  dashboard.addWidgets(
    new cloudwatch.AlarmStatusWidget({ title: 'Alarms', alarms: alarms.all, width, height: 4 }),
  );
  const widgets = Object.entries(graphs).map(([graph, title]) => graphOf(title, graph, all));
  for (let i = 0; i < widgets.length; i += 2) dashboard.addWidgets(...widgets.slice(i, i + 2));
  const { region } = stack;
  const dashboardUrl = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboard.dashboardName}`;
  return { alarms, dashboardUrl };
};

const width = 24;

const heading = (stackName: string, { stage, runbookUrl }: Config) =>
  new cloudwatch.TextWidget({
    markdown: `# Dynamic links (${stackName === stackNameOf({ stage }) ? stage : stackName})\nRed alarms first; each links to its section of the runbook (${runbookUrl}). Left: short URLs. Right: API. Below: table and functions.`,
    width,
    height: 2,
  });

const graphOf = (title: string, graph: string, all: readonly MonitoredMetric[]) =>
  new cloudwatch.GraphWidget({
    title,
    left: all.filter(([on]) => on === graph).map(([, metric]) => metric),
    leftYAxis: { min: 0 },
    width: width / 2,
    height: 5,
  });
