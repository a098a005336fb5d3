import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import {
  CloudWatchClient,
  DescribeAlarmHistoryCommand,
  GetMetricDataCommand,
  type MetricAlarm,
  paginateDescribeAlarms,
  SetAlarmStateCommand,
  type StateValue,
} from '@aws-sdk/client-cloudwatch';
import { edgeRegion } from '../../lib/domains.ts';

export interface Alarm {
  readonly name: string;
  readonly region: string | undefined;
}

/** What AWS knows of a deployed stack beyond its public addresses. */
export interface DeployedStack {
  /** Undefined where the SDK finds it itself. */
  readonly region: string | undefined;
  /** The physical id of the resource of this type with a matching logical id. */
  readonly resource: (type: string, logicalId?: RegExp) => Promise<string | undefined>;
  /** The alarms that watch the distribution, which are where CloudFront's metrics are. */
  readonly edgeAlarms: () => Promise<Alarm[]>;
  readonly setState: (alarm: Alarm, state: StateValue) => Promise<void>;
  /** What became of the alarm's actions since then, oldest first, in CloudWatch's words. */
  readonly actionsSince: (alarm: Alarm, since: Date) => Promise<string[]>;
  /** CloudFront's count of the distribution's requests in the last quarter of an hour. */
  readonly edgeRequests: () => Promise<number>;
}

export const openDeployedStack = (stackName: string, region: string | undefined): DeployedStack => {
  const configured = (where: string | undefined) => (where === undefined ? {} : { region: where });
  const watch = (where: string | undefined) => new CloudWatchClient(configured(where));
  const resource = async (type: string, logicalId = /./): Promise<string | undefined> => {
    const client = new CloudFormationClient(configured(region));
    for await (const page of paginateListStackResources({ client }, { StackName: stackName })) {
      const found = page.StackResourceSummaries?.find(
        ({ ResourceType, LogicalResourceId = '' }) =>
          ResourceType === type && logicalId.test(LogicalResourceId),
      );
      if (found) return found.PhysicalResourceId;
    }
    return undefined;
  };
  const distribution = () => resource('AWS::CloudFront::Distribution');
  return {
    region,
    resource,
    edgeAlarms: async () => {
      const id = await distribution();
      const found: Alarm[] = [];
      for await (const { MetricAlarms = [] } of paginateDescribeAlarms({ client: watch(edgeRegion) }, {}))
        for (const alarm of MetricAlarms)
          if (watches(alarm, id)) found.push({ name: alarm.AlarmName ?? '', region: edgeRegion });
      return found;
    },
    setState: async (alarm, state) => {
      await watch(alarm.region).send(
        new SetAlarmStateCommand({
          AlarmName: alarm.name,
          StateValue: state,
          StateReason: 'A smoke test of the notification: nothing is wrong',
        }),
      );
    },
    actionsSince: async (alarm, since) => {
      const { AlarmHistoryItems = [] } = await watch(alarm.region).send(
        new DescribeAlarmHistoryCommand({
          AlarmName: alarm.name,
          HistoryItemType: 'Action',
          StartDate: since,
          ScanBy: 'TimestampAscending',
        }),
      );
      return AlarmHistoryItems.map(
        ({ HistorySummary = '', HistoryData = '' }) => `${HistorySummary} ${HistoryData}`,
      );
    },
    edgeRequests: async () => {
      const now = Date.now();
      const { MetricDataResults = [] } = await watch(edgeRegion).send(
        new GetMetricDataCommand({
          StartTime: new Date(now - 15 * 60_000),
          EndTime: new Date(now + 60_000),
          MetricDataQueries: [
            {
              Id: 'requests',
              MetricStat: {
                Metric: {
                  Namespace: 'AWS/CloudFront',
                  MetricName: 'Requests',
                  Dimensions: [
                    { Name: 'DistributionId', Value: await distribution() },
                    { Name: 'Region', Value: 'Global' },
                  ],
                },
                Period: 60,
                Stat: 'Sum',
              },
            },
          ],
        }),
      );
      return (MetricDataResults[0]?.Values ?? []).reduce((sum, value) => sum + value, 0);
    },
  };
};

const watches = ({ Dimensions = [], Metrics = [] }: MetricAlarm, distribution: string | undefined): boolean =>
  [Dimensions, ...Metrics.map(({ MetricStat }) => MetricStat?.Metric?.Dimensions ?? [])]
    .flat()
    .some(({ Name, Value }) => Name === 'DistributionId' && Value === distribution);
