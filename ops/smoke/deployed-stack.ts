import { APIGatewayClient, GetDomainNameCommand, GetStageCommand } from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  paginateListStackResources,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { CloudFrontClient, GetDistributionConfigCommand } from '@aws-sdk/client-cloudfront';
import {
  CloudWatchClient,
  DescribeAlarmHistoryCommand,
  type MetricAlarm,
  type MetricDataQuery,
  paginateDescribeAlarms,
  SetAlarmStateCommand,
  type StateValue,
} from '@aws-sdk/client-cloudwatch';
import { edgeRegion } from '../../lib/domains.ts';
import { clientConfig } from '../aws/aws-access.ts';
import { metricQuery, metricValues } from '../aws/metric-values.ts';

/** A region; undefined leaves it to the SDK. */
type Region = string | undefined;

export interface Alarm {
  readonly name: string;
  readonly region: Region;
  /** Topics of the alarm's actions. */
  readonly topics: readonly string[];
  /** The alarm's expression and its metrics; empty if it watches one metric. */
  readonly metrics: readonly MetricDataQuery[];
}

export type DeployedStack = ReturnType<typeof openDeployedStack>;

/** AWS's data about a deployed stack, in addition to its public addresses. */
export const openDeployedStack = (stackName: string, region: Region) => {
  /** The physical ids of a type's resources whose logical ids have this prefix. */
  const resources = async (type: string, start = ''): Promise<string[]> => {
    const client = new CloudFormationClient(clientConfig({ region }));
    const found: StackResourceSummary[] = [];
    for await (const page of paginateListStackResources({ client }, { StackName: stackName }))
      found.push(...(page.StackResourceSummaries ?? []));
    return found
      .filter(({ ResourceType, LogicalResourceId }) =>
        ResourceType === type ? LogicalResourceId?.startsWith(start) : false,
      )
      .map(({ PhysicalResourceId = '' }) => PhysicalResourceId);
  };
  // Not the one for the projects' hosts.
  const distribution = async () =>
    (await resources('AWS::CloudFront::Distribution', 'ShortLinksDistribution'))[0];
  return {
    /** The alarms of the service, without those of the edge. */
    alarms: async () => {
      const names = new Set(await resources('AWS::CloudWatch::Alarm'));
      return alarmsIn(region, ({ AlarmName = '' }) => names.has(AlarmName));
    },
    /** The distribution's alarms, in the region of CloudFront's metrics. */
    edgeAlarms: async () => {
      const id = await distribution();
      return alarmsIn(edgeRegion, (alarm) => watches(alarm, id));
    },
    /** The ARNs of the certificates of custom domains. */
    certificates: async () => {
      const [domainName] = await resources('AWS::ApiGateway::DomainName');
      const [ofApi, ofEdge] = await Promise.all([
        domainName &&
          new APIGatewayClient(clientConfig({ region })).send(new GetDomainNameCommand({ domainName })),
        new CloudFrontClient({ region: edgeRegion }).send(
          new GetDistributionConfigCommand({ Id: await distribution() }),
        ),
      ]);
      const edge = ofEdge.DistributionConfig?.ViewerCertificate?.ACMCertificateArn;
      return [edge, ofApi ? ofApi.regionalCertificateArn : undefined].filter((arn) => arn !== undefined);
    },
    setState,
    actionsSince,
    /** The number of values in the last hour of each metric and expression of an alarm, by id. */
    valuesOf: async ({ region: where, metrics }: Alarm) => {
      const all = metrics.map((metric) => ({ ...metric, ReturnData: true }));
      const results = await metricValues({ region: where }, 60, all);
      return new Map([...results].map(([id, { Values = [] }]) => [id, Values.length]));
    },
    /** CloudFront's count of the distribution's requests in the last quarter of an hour. */
    edgeRequests: async () => {
      const results = await metricValues({ region: edgeRegion }, 15, [requestsOf(await distribution())]);
      return (results.get('requests')?.Values ?? []).reduce((sum, value) => sum + value, 0);
    },
    /** Rate limit per second of each API method, by `/path/METHOD`; `*\/*` is for methods without their own. */
    methodRates: async () => {
      const [restApiId] = await resources('AWS::ApiGateway::RestApi', 'ApiRest');
      const [stageName] = await resources('AWS::ApiGateway::Stage', 'ApiRest');
      const client = new APIGatewayClient(clientConfig({ region }));
      const { methodSettings = {} } = await client.send(new GetStageCommand({ restApiId, stageName }));
      const rates = Object.entries(methodSettings).map(
        // The path of `/1.0/links` is `~11.0~1links`, with or without a leading slash.
        ([key, { throttlingRateLimit }]) =>
          [key.replace(/^\/?~1/, '/').replaceAll('~1', '/'), throttlingRateLimit] as const,
      );
      return new Map(rates);
    },
  };
};

const watch = (region: Region) => new CloudWatchClient(clientConfig({ region }));

const alarmsIn = async (region: Region, isWanted: (alarm: MetricAlarm) => boolean): Promise<Alarm[]> => {
  const found: Alarm[] = [];
  for await (const { MetricAlarms = [] } of paginateDescribeAlarms({ client: watch(region) }, {}))
    for (const {
      AlarmName: name = '',
      Metrics: metrics = [],
      AlarmActions: topics = [],
    } of MetricAlarms.filter(isWanted))
      found.push({ name, region, metrics, topics });
  return found;
};

const watches = ({ Dimensions = [], Metrics = [] }: MetricAlarm, distribution: string | undefined): boolean =>
  [Dimensions, ...Metrics.map(({ MetricStat }) => MetricStat?.Metric?.Dimensions ?? [])]
    .flat()
    .some(({ Name, Value }) => Name === 'DistributionId' && Value === distribution);

const setState = async ({ name, region }: Alarm, StateValue: StateValue) => {
  const StateReason = 'A smoke test of the notification: nothing is wrong';
  await watch(region).send(new SetAlarmStateCommand({ AlarmName: name, StateValue, StateReason }));
};

/** Results of the alarm's actions since then, oldest first, in CloudWatch's words. */
const actionsSince = async ({ name, region }: Alarm, since: Date) => {
  const { AlarmHistoryItems = [] } = await watch(region).send(
    new DescribeAlarmHistoryCommand({
      AlarmName: name,
      HistoryItemType: 'Action',
      StartDate: since,
      ScanBy: 'TimestampAscending',
    }),
  );
  return AlarmHistoryItems.map(
    ({ HistorySummary = '', HistoryData = '' }) => `${HistorySummary} ${HistoryData}`,
  );
};

const requestsOf = (distribution: string | undefined): MetricDataQuery =>
  metricQuery('requests', {
    namespace: 'AWS/CloudFront',
    name: 'Requests',
    dimensions: { DistributionId: distribution, Region: 'Global' },
    seconds: 60,
    statistic: 'Sum',
  });
