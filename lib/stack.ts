import {
  Annotations,
  type App,
  CfnOutput,
  CfnResource,
  type RemovalPolicy,
  Stack,
  type StackProps,
  Stage,
  Token,
} from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledgements.ts';
import { type AlarmOverrides, checkAlarms } from './alarm-names.ts';
import { addApi } from './api.ts';
import { addBudget } from './budget.ts';
import { addClickQueue } from './click-queue.ts';
import { addClicks } from './clicks.ts';
import { type Config, configOf, needsEdgeAlarms, needsEdgeStack } from './config.ts';
import { ConfigError } from './config-error.ts';
import { addCopying } from './copying.ts';
import { readsOutputs } from './cross-region.ts';
import { edgeRegion } from './domains.ts';
import { EdgeAlarmsStack } from './edge-alarms-stack.ts';
import { EdgeStack } from './edge-stack.ts';
import { ServiceFunction } from './function.ts';
import { type ExistingResources, existingOf, keyStatements, refuseElsewhere, withExisting } from './given.ts';
import { addMonitoring } from './monitoring.ts';
import { addReleases } from './releases.ts';
import { isProtected } from './retained.ts';
import { existingKeys, isSettingName, outputOf, type StageSettings } from './settings.ts';
import { addShortLinks } from './short-links.ts';
import { namesBeside, requireOwnNames, stackNameOf } from './stack-names.ts';
import { StandbyStack } from './standby-stack.ts';
import { addTable, addTakedownRecord } from './table.ts';
import { addWebhooks } from './webhooks.ts';

export interface DynamicLinkStackProps extends StackProps, ExistingResources {
  readonly settings?: StageSettings | undefined;
  /** For the resources with data; DESTROY also lifts deletion and termination protection. @default by the stage's kind */
  readonly removalPolicy?: RemovalPolicy | undefined;
  /** Actions of single alarms, by their headings in docs/runbook.md. */
  readonly alarms?: AlarmOverrides | undefined;
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
  readonly table: ITable;
  readonly distribution: Distribution;
  readonly restApi: RestApi;
  /** The topic that alarms in the service's region notify. */
  readonly alarmTopic: ITopic;
  /** The service's functions by the names in docs/architecture.md. */
  readonly functions: Readonly<Record<string, LambdaFunction>>;
  /** The stack of CloudFront's certificate and firewall, if there is one. */
  readonly edge?: EdgeStack | undefined;
  /** The stack of the alarms in `us-east-1`, if there is one. */
  readonly edgeAlarms?: EdgeAlarmsStack | undefined;
  /** The stack in the second region, if there is one. */
  readonly standby?: StandbyStack | undefined;
  readonly #encrypted: readonly Stack[];

  constructor(scope: Construct, id: string, props?: DynamicLinkStackProps);
  constructor(scope: Construct, id: string, settings: StageSettings, props?: DynamicLinkStackProps);
  constructor(
    scope: Construct,
    id: string,
    first: DynamicLinkStackProps & StageSettings = {},
    second?: DynamicLinkStackProps,
  ) {
    const isEarlier = second !== undefined || Object.keys(first).some(isSettingName);
    const props: DynamicLinkStackProps = isEarlier ? { ...second, settings: first } : first;
    const { settings = {}, otherRegion: _, removalPolicy, alarms, ...rest } = props;
    const { alarmTopic, edgeAlarmTopic, encryptionKey, webAcl, apiWebAcl, env, ...own } = rest;
    const given = { alarmTopic, edgeAlarmTopic, encryptionKey, webAcl, apiWebAcl };
    const checked = { ...checkedConfig(scope, settings, given, props), removalPolicy, alarms };
    // A wrong command must not delete a stack with data or alarms.
    const ofStack = { terminationProtection: isProtected(checked), ...own };
    super(scope, id, {
      description: 'Dynamic links: short URLs, app routing, click analytics',
      ...ofStack,
      env: { ...env, ...(checked.region && { region: checked.region }) },
      ...((needsEdgeStack(checked) || checked.standby || typeof webAcl === 'object') && {
        crossRegionReferences: true,
      }),
    });
    readsOutputs(this);
    refuseElsewhere(given, this.region);
    const existing = existingOf(this, checked, given);
    const config = { ...checked, alarmTopic: existing.alarmTopic, encryptionKey: existing.encryptionKey };
    const names = namesBeside(id, config, props.stackName);
    const isAtEdge = this.region === edgeRegion;
    const inRegion = inAnother({ ...ofStack, env }, config);
    const edgeKey = isAtEdge ? config.encryptionKey : undefined;
    const beside = inRegion(edgeRegion, { alarmTopic: existing.edgeAlarmTopic, encryptionKey: edgeKey });
    const edge = needsEdgeStack(config)
      ? new EdgeStack(scope, names.edge.id, { ...beside, ...names.edge.props })
      : undefined;
    const standby = config.standby
      ? new StandbyStack(scope, names.standby.id, { ...inRegion(config.standby), ...names.standby.props })
      : undefined;
    const table = addTable(this, config);
    addTakedownRecord(this, config);
    const service = { config, table };
    const clickQueue = addClickQueue(this, service);
    const { queueUrl: clickQueueUrl, queueArn } = clickQueue.queue;
    const shortLinks = addShortLinks(this, { ...service, clickQueueUrl }, edge, standby);
    const { baseUrl: shortBase } = shortLinks;
    for (const sender of [shortLinks.redirect, shortLinks.appLink])
      sender.allow(['sqs:SendMessage'], [queueArn]);
    const shortHosts = shortLinks.distribution.domainName;
    const api = addApi(this, { ...service, shortBase, shortHosts });
    const webhooks = addWebhooks(this, service);
    const copying = standby && addCopying(this, service, standby, { ...clickQueue, ...shortLinks });
    const clicks = addClicks(this, { ...service, shortBase }, webhooks, copying);
    const measured = { table, shortLinks, api, clicks, clickQueue, webhooks, copying };
    const monitoring = addMonitoring(this, config, measured);
    if (config.monthlyBudget) addBudget(this, config.monthlyBudget, monitoring.alarms);
    if (config.like === 'prod') addReleases(this, monitoring, measured);
    const watched = { ...beside, ...names.edgeAlarms.props, shortLinks, firewall: edge?.firewall };
    const edgeAlarms = needsEdgeAlarms(config)
      ? new EdgeAlarmsStack(scope, names.edgeAlarms.id, watched)
      : undefined;
    this.table = table;
    this.distribution = shortLinks.distribution;
    this.restApi = api.rest;
    this.alarmTopic = monitoring.alarms.topic;
    this.functions = functionsOf(this, standby);
    this.edge = edge;
    this.edgeAlarms = edgeAlarms;
    this.standby = standby;
    this.#encrypted = config.encryptionKey ? [this, ...(isAtEdge && edgeAlarms ? [edgeAlarms] : [])] : [];
    this.#extendKeyPolicy(config.encryptionKey);
    requireOwnNames([this, edge, edgeAlarms, standby].filter((one) => one !== undefined));
    acknowledge(this, config);
    this.apiBaseUrl = api.baseUrl;
    this.shortBaseUrl = shortLinks.baseUrl;
    addOutputs(this, config, {
      TableName: table.tableName,
      RedirectFunction: shortLinks.redirect.function.functionName,
      DashboardUrl: monitoring.dashboardUrl,
      ApiBaseUrl: this.apiBaseUrl,
      ShortBaseUrl: this.shortBaseUrl,
    });
    checkSize(this);
  }

  /** The statements that the policy of `encryptionKey` needs; none without that key. */
  keyPolicyStatements(): PolicyStatement[] {
    return this.#encrypted.length > 0 ? keyStatements(this, this.#encrypted) : [];
  }

  #extendKeyPolicy(key: IKey | undefined): void {
    const added = this.keyPolicyStatements().map((one) => key?.addToResourcePolicy(one).statementAdded);
    if (added.includes(false))
      Annotations.of(this).addWarningV2(
        'dynamic-link-cdk:keyPolicy',
        "The app can't change the policy of an imported encryptionKey: add what keyPolicyStatements() returns.",
      );
  }
}

/** Adds outputs for operators and commands. */
const addOutputs = (stack: Stack, config: Config, made: Readonly<Record<string, string>>): void => {
  const outputs = {
    ...made,
    // Compared by `npx dls deploy`: a deployment with fewer settings would remove these.
    AlarmEmail: config.alarmEmail,
    AdoptedTable: config.adopted?.name,
    ...Object.fromEntries(existingKeys.map((key) => [outputOf(key), config[key]])),
    FiguresRetentionDays: config.figuresRetentionDays,
    LinksPerProject: config.linksPerProject,
    // For the operators' console; CloudFormation keeps only ASCII.
    ConsoleName: config.consoleName && encodeURIComponent(config.consoleName),
  };
  // Resources that the app makes are its own.
  for (const [name, value] of Object.entries(outputs))
    if (value !== undefined && (name in made || !Token.isUnresolved(value)))
      new CfnOutput(stack, name, { value: String(value) });
};

/** The functions of stacks by the names of their entry files. */
const functionsOf = (...stacks: readonly (Stack | undefined)[]): Record<string, LambdaFunction> => {
  const constructs = stacks.flatMap((stack) => stack?.node.findAll() ?? []);
  const made = constructs.filter((one) => one instanceof ServiceFunction);
  return Object.fromEntries(made.map((one) => [one.entryName, one.function]));
};

/** Properties of a stack in another region, which has resources of its own in place of the service's key and topic. */
const inAnother =
  ({ env, ...ofStack }: StackProps, config: Config) =>
  (region: string, own: Pick<Config, 'alarmTopic' | 'encryptionKey'> = {}) => ({
    ...ofStack,
    config: { ...config, alarmTopic: undefined, encryptionKey: undefined, ...own },
    env: { ...env, region },
    crossRegionReferences: true,
  });

/** The configuration of a stack in a scope. Throws ConfigError. */
const checkedConfig = (
  scope: Construct,
  settings: StageSettings,
  existing: ExistingResources,
  { env, otherRegion, alarms = {} }: DynamicLinkStackProps,
): Config => {
  const around = Stage.isStage(scope) ? scope : Stage.of(scope);
  const region = settings.region ?? env?.region ?? around?.region;
  checkAlarms(alarms);
  return configOf(withExisting({ ...settings, ...(region && { region }) }, existing), otherRegion);
};

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
