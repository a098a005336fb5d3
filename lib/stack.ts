import { type App, CfnOutput, CfnResource, Stack, type StackProps, Stage } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledgements.ts';
import { addApi } from './api.ts';
import { addBudget } from './budget.ts';
import { addClickQueue } from './click-queue.ts';
import { addClicks } from './clicks.ts';
import { type Config, configOf, needsEdgeStack } from './config.ts';
import { ConfigError } from './config-error.ts';
import { readsOutputs } from './cross-region.ts';
import { edgeRegion } from './domains.ts';
import { EdgeAlarmsStack } from './edge-alarms-stack.ts';
import { EdgeStack } from './edge-stack.ts';
import { addMonitoring } from './monitoring.ts';
import { addReleases } from './releases.ts';
import type { StageSettings } from './settings.ts';
import { addShortLinks } from './short-links.ts';
import { addTable, addTakedownRecord } from './table.ts';
import { addWebhooks } from './webhooks.ts';

export interface DynamicLinkStackProps extends StackProps {
  /** The region for stacks that need one if the settings have none. @default us-east-1 */
  readonly otherRegion?: string | undefined;
}

/**
 * The whole service, for any CDK app: this stack and, if needed, its stacks in `us-east-1` for CloudFront. Throws
 * ConfigError for invalid settings.
 */
export class DynamicLinkStack extends Stack {
  readonly shortBaseUrl: string;
  readonly apiBaseUrl: string;

  constructor(scope: Construct, id: string, settings: StageSettings = {}, props: DynamicLinkStackProps = {}) {
    const { otherRegion, env, ...own } = props;
    const around = Stage.isStage(scope) ? scope : Stage.of(scope);
    const region = settings.region ?? env?.region ?? around?.region;
    const config = configOf({ ...settings, ...(region && { region }) }, otherRegion);
    const { like, monthlyBudget } = config;
    const isProd = like === 'prod';
    super(scope, id, {
      description: 'Dynamic links: short URLs, app routing, click figures',
      // A wrong command must not delete a stack with data.
      terminationProtection: isProd,
      ...own,
      env: { ...env, ...(config.region && { region: config.region }) },
      ...(needsEdgeStack(config) && { crossRegionReferences: true }),
    });
    readsOutputs(this);
    const beside = edgeProps(id, config, props);
    const edge = needsEdgeStack(config)
      ? new EdgeStack(scope, beside.named('Edge'), beside.props)
      : undefined;
    const table = addTable(this, config);
    addTakedownRecord(this, config);
    const service = { config, table };
    const clickQueue = addClickQueue(this, service);
    const { queueUrl: clickQueueUrl, queueArn } = clickQueue.queue;
    const shortLinks = addShortLinks(this, { ...service, clickQueueUrl }, edge);
    const { baseUrl: shortBase } = shortLinks;
    for (const sender of [shortLinks.redirect, shortLinks.appLink])
      sender.allow(['sqs:SendMessage'], [queueArn]);
    const shortHosts = shortLinks.distribution.domainName;
    const api = addApi(this, { ...service, shortBase, shortHosts });
    const webhooks = addWebhooks(this, service);
    const clicks = addClicks(this, { ...service, shortBase, webhookQueueUrl: webhooks.queue.queueUrl });
    clicks.emit.allow(['sqs:SendMessage'], [webhooks.queue.queueArn]);
    const measured = { table, shortLinks, api, clicks, clickQueue, webhooks };
    const monitoring = addMonitoring(this, config, measured);
    if (monthlyBudget) addBudget(this, monthlyBudget, monitoring.alarms);
    if (isProd) addReleases(this, monitoring, measured);
    if (isProd || config.healthCheck) {
      const watched = { shortLinks, firewall: edge?.firewall };
      new EdgeAlarmsStack(scope, beside.named('EdgeAlarms'), { ...beside.props, ...watched });
    }
    acknowledge(this, config);
    this.apiBaseUrl = api.baseUrl;
    this.shortBaseUrl = shortLinks.baseUrl;
    const outputs = {
      TableName: table.tableName,
      RedirectFunction: shortLinks.redirect.function.functionName,
      DashboardUrl: monitoring.dashboardUrl,
      ApiBaseUrl: this.apiBaseUrl,
      ShortBaseUrl: this.shortBaseUrl,
      // Compared by `npx dls deploy`: a deployment with fewer settings would remove these.
      AlarmEmail: config.alarmEmail,
      AdoptedTable: config.adopted?.name,
      FiguresRetentionDays: config.figuresRetentionDays,
      LinksPerProject: config.linksPerProject,
      // For the operators' console; CloudFormation keeps only ASCII.
      ConsoleName: config.consoleName && encodeURIComponent(config.consoleName),
    };
    for (const [name, value] of Object.entries(outputs))
      if (value !== undefined) new CfnOutput(this, name, { value: String(value) });
    checkSize(this);
  }
}

/** The most resources: CloudFormation allows 500, and an app may add some to the stack. */
const mostResources = 495;

/** Throws ConfigError for too many resources, before the CDK fails with a less helpful error. */
const checkSize = (stack: Stack): void => {
  const { length } = stack.node.findAll().filter(CfnResource.isCfnResource);
  if (length > mostResources)
    throw new ConfigError(
      `these choices make ${length} resources, and a stack takes ${mostResources}: name fewer hosts in shortAliases, of which each ` +
        'in the hosted zone takes two; with ownHosts=tenants, hosts of projects take none',
    );
};

/** Names and props of edge stacks. Those of all regions are in one region, so names contain the service's region. */
const edgeProps = (id: string, config: Config, { env, otherRegion, ...props }: DynamicLinkStackProps) => {
  const [, start = id, rest = ''] = /^([^-]+)(-.*)?$/.exec(id) ?? [];
  const suffix = config.region === edgeRegion ? '' : `-${config.region}`;
  return {
    named: (kind: string) => `${start}${kind}${rest}${suffix}`,
    props: { ...props, config, env: { ...env, region: edgeRegion }, crossRegionReferences: true },
  };
};

export const stackNameOf = ({ stage = 'dev' }: StageSettings): string => `DynamicLinks-${stage}`;

/** Adds the service to an app, under its stage's name. `otherRegion` as for the stack. Throws ConfigError. */
export const addService = (app: App, settings: StageSettings, otherRegion?: string): DynamicLinkStack =>
  new DynamicLinkStack(app, stackNameOf(settings), settings, { otherRegion });
