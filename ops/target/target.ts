import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

import { allowLocalhost } from '../../core/destinations/web-address.ts';
import { type AllStores, openStores } from '../../core/stores.ts';
import { forOperators } from '../../core/table/patience.ts';
import { openTable } from '../../core/table/whole-table.ts';
import { OperatorError } from '../base/operator-error.ts';
import { awsRegion, stageOf } from './aws-region.ts';
import { describeStack } from './described-stack.ts';
import { type LocalOwnHosts, runningStack } from './running-stack.ts';
import { sdkTransport } from './sdk-client.ts';
import { type TakedownRecord, takedownRecord } from './takedown-record.ts';
import type { HostTenants } from './tenants.ts';
import { type FindWaitingClicks, waitingLocally, waitingOnAws } from './waiting-clicks.ts';
import { deployedWebhooks, localWebhooks, type WebhookAccess } from './webhook-access.ts';

/** A deployment of the service that commands work on. */
export interface Target {
  readonly stores: AllStores;
  /** Base address of short URLs for projects without a custom host. */
  readonly shortBase: string;
  /** Absent where the stack was deployed before it had one. */
  readonly takedowns?: TakedownRecord | undefined;
  /** Links that a project may have; undefined without a limit. */
  readonly linksPerProject?: number | undefined;
  /** Absent where the stack was deployed before it had webhooks. */
  readonly webhooks?: WebhookAccess | undefined;
}

/** A target as it was found, with how to reach it from outside. */
export interface Deployment extends Target {
  readonly apiBase: string;
  readonly tableName: string;
  /** The table of the record of take-downs. */
  readonly takedownTable?: string | undefined;
  /** For how many days figures over time are kept; for ever without it. */
  readonly figuresRetentionDays?: number | undefined;
  readonly access: DynamoDBClientConfig;
  /** Takes rows of clicks, if the stack exports them; a local stack takes them by itself. */
  readonly clickExportStream?: string | undefined;
  /** Absent where the stack was deployed before it had a queue. */
  readonly waitingClicks?: FindWaitingClicks | undefined;
  /** What CloudFront knows of hosts. A local stack takes any, unless hosts of projects are tenants. */
  readonly hosts?: DeployedHosts & { readonly tenants?: () => Promise<HostTenants> };
}

/** What a deployed stack says of the hosts that its distribution answers to. */
export interface DeployedHosts {
  /** The distribution's aliases; none if it has only CloudFront's name. */
  readonly aliases: readonly string[];
  /** The target of their DNS records. */
  readonly target?: string | undefined;
}

/** Throws OperatorError if no local stack runs there. Links may lead to localhost from then on where they may on that stack. */
export const localTarget = async (data: string): Promise<Deployment> => {
  const stack = await runningStack(data);
  if (stack.localDestinations) allowLocalhost();
  const { apiBaseUrl: apiBase, shortBaseUrl, dynamodbEndpoint, operatorKey, ownHosts } = stack;
  const { tableName, takedownTable, figuresRetentionDays, linksPerProject, clickQueue } = stack;
  const access = localAccess(dynamodbEndpoint, operatorKey);
  const hosts = ownHosts && { hosts: localHosts(data, ownHosts) };
  const webhooks = localWebhooks(stack);
  const described = {
    ...{ apiBase, tableName, takedownTable, figuresRetentionDays, linksPerProject, access },
    ...(webhooks && { webhooks }),
  };
  const waitingClicks = clickQueue && waitingLocally(clickQueue, operatorKey ?? '');
  const tables = { service: tableName, takedowns: takedownTable };
  return { ...openTarget(tables, shortBaseUrl, access), ...described, waitingClicks, ...hosts };
};

export const localHosts = (data: string, ownHosts: LocalOwnHosts): NonNullable<Deployment['hosts']> => ({
  aliases: ownHosts.aliases,
  tenants: async () => (await import('./local-tenants.ts')).localTenants(data, ownHosts.distributionId),
});

/** A stack's tables know their operator by the key in stack.json. An engine alone takes any. */
export const localAccess = (endpoint: string, operatorKey = 'operator'): DynamoDBClientConfig => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: operatorKey, secretAccessKey: 'local' },
});

/** `given` is the operator's `--region`. */
export const deployedTarget = async (stackName: string, given?: string): Promise<Deployment> => {
  const region = awsRegion({ given, stage: stageOf(stackName) });
  const access = region === undefined ? {} : { region };
  const outputs = await stackOutputs(stackName, access);
  const output = (key: string): string => {
    const value = outputs[key];
    if (value) return value;
    throw new OperatorError(`The stack ${stackName} has no output ${key}; is it a dynamic-link service?`);
  };
  const tableName = output('TableName');
  const apiBase = output('ApiBaseUrl');
  const optional = (key: string) => outputs[key];
  const takedownTable = optional('TakedownTable');
  const clickQueue = optional('ClickQueueName');
  const described = {
    apiBase,
    tableName,
    takedownTable,
    figuresRetentionDays: numberOf(optional('FiguresRetentionDays')),
    linksPerProject: numberOf(optional('LinksPerProject')),
    access,
    webhooks: deployedWebhooks(optional, access),
    clickExportStream: optional('ClickExportStream'),
    waitingClicks: clickQueue === undefined ? undefined : waitingOnAws(clickQueue, access),
    hosts: hostsOf(optional),
  };
  const tables = { service: tableName, takedowns: takedownTable };
  return { ...openTarget(tables, output('ShortBaseUrl'), access), ...described };
};

/** As an output states it. */
export const numberOf = (output: string | undefined): number | undefined =>
  output === undefined ? undefined : Number(output);

const hostsOf = (output: (key: string) => string | undefined): NonNullable<Deployment['hosts']> => {
  const distributionId = output('OwnHostsDistributionId');
  const connectionGroupId = output('OwnHostsConnectionGroupId');
  const target = output('OwnHostsTarget');
  return {
    aliases: output('ShortHosts')?.split(',') ?? [],
    target: output('ShortDomainTarget'),
    ...(distributionId &&
      connectionGroupId &&
      target && {
        tenants: async () =>
          (await import('./tenants.ts')).openTenants({ distributionId, connectionGroupId, target }),
      }),
  };
};

const stackOutputs = async (stackName: string, access: { readonly region?: string }) => {
  try {
    return (await describeStack(stackName, access)).outputs;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (access.region === undefined && reason === 'Region is missing')
      throw new OperatorError('No region is set: give --region NAME or set AWS_REGION');
    const where = access.region === undefined ? '' : ` in ${access.region}`;
    throw new OperatorError(
      `The stack ${stackName} can't be read${where}: ${reason} (--region NAME looks in another one)`,
    );
  }
};

/** The names of a deployment's tables. */
interface TableNames {
  readonly service: string;
  readonly takedowns?: string | undefined;
}

export const openTarget = (
  { service, takedowns }: TableNames,
  shortBase: string,
  access: DynamoDBClientConfig = {},
): Target => {
  const transport = sdkTransport(access);
  const table = (name: string) => openTable(transport, { name, patience: forOperators });
  return {
    stores: openStores(table(service)),
    shortBase,
    ...(takedowns !== undefined && { takedowns: takedownRecord(table(takedowns)) }),
  };
};
