import { type App, CfnOutput, CfnResource, Stack, type StackProps, Stage } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledgements.ts';
import { addApi } from './api.ts';
import { addBudget } from './budget.ts';
import { addClickQueue } from './click-queue.ts';
import { addClicks } from './clicks.ts';
import { configOf, needsEdgeStack } from './config.ts';
import { ConfigError } from './config-error.ts';
import { readsOutputs } from './cross-region.ts';
import { edgeRegion } from './domains.ts';
import { EdgeAlarmsStack } from './edge-alarms-stack.ts';
import { EdgeStack } from './edge-stack.ts';
import { addMonitoring } from './monitoring.ts';
import { addReleases } from './releases.ts';
import type { StageSettings } from './settings.ts';
import { addShortLinks } from './short-links.ts';
import { namesBeside, requireOwnNames, stackNameOf } from './stack-names.ts';
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
    // A wrong command must not delete a stack with data or alarms.
    const ofStack = { terminationProtection: isProd, ...own };
    super(scope, id, {
      description: 'Dynamic links: short URLs, app routing, click analytics',
      ...ofStack,
      env: { ...env, ...(config.region && { region: config.region }) },
      ...(needsEdgeStack(config) && { crossRegionReferences: true }),
    });
    readsOutputs(this);
    const names = namesBeside(id, config, props.stackName);
    const beside = {
      ...ofStack,
      config,
      env: { ...env, region: edgeRegion },
      crossRegionReferences: true,
    };
    const edge = needsEdgeStack(config)
      ? new EdgeStack(scope, names.edge.id, { ...beside, ...names.edge.props })
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
    const watched = { ...beside, ...names.edgeAlarms.props, shortLinks, firewall: edge?.firewall };
    const edgeAlarms =
      isProd || config.healthCheck ? new EdgeAlarmsStack(scope, names.edgeAlarms.id, watched) : undefined;
    requireOwnNames([this, edge, edgeAlarms].filter((one) => one !== undefined));
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

/** Adds the service to an app, under its stage's name. `otherRegion` as for the stack. Throws ConfigError. */
export const addService = (app: App, settings: StageSettings, otherRegion?: string): DynamicLinkStack =>
  new DynamicLinkStack(app, stackNameOf(settings), settings, { otherRegion });
