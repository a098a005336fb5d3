import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { allowLocalhost } from '../../core/destinations/web-address.ts';
import { type AllStores, openStores } from '../../core/stores.ts';
import { forOperators } from '../../core/table/retry-policy.ts';
import { openTable } from '../../core/table/whole-table.ts';
import { clientConfig } from '../aws/aws-access.ts';
import { awsRegion, stageOf } from '../aws/aws-region.ts';
import { describeStack } from '../aws/described-stack.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { QueueAccess } from './queue-calls.ts';
import { runningStack } from './running-stack.ts';
import { sdkTransport } from './sdk-client.ts';
import { localServices, type Outputs, type ServiceAccess } from './service-access.ts';
import { type TakedownRecord, takedownRecord } from './takedown-record.ts';
import { type WebhookAccess, webhookAccessOf } from './webhook-access.ts';

/** A deployment of the service that commands work on. */
export interface Deployment {
  readonly stores: AllStores;
  /** Base address of short URLs for projects without a custom host. */
  readonly shortBase: string;
  /** Further hosts of the distribution, separated by commas, with its own name. */
  readonly shortHosts?: string | undefined;
  /** Absent if the stack was deployed before it had one. */
  readonly takedowns?: TakedownRecord | undefined;
  /** Links that a project may have; undefined without a limit. */
  readonly linksPerProject?: number | undefined;
  /** Days for which analytics over time are kept and shown; undefined means forever. */
  readonly figuresRetentionDays?: number | undefined;
  /** Absent if the stack was deployed before it had webhooks. */
  readonly webhooks?: WebhookAccess | undefined;
}

/** A deployment with its access from outside. */
export interface DeploymentAccess extends Deployment {
  readonly apiBase: string;
  readonly tableName: string;
  readonly takedownTable?: string | undefined;
  readonly access: DynamoDBClientConfig;
  /** The stream for rows of clicks, if the stack exports them; a local stack writes them itself. */
  readonly clickExportStream?: string | undefined;
  /** The queue of clicks that the table didn't take; absent if the stack was deployed before it had one. */
  readonly clickQueue?: QueueAccess | undefined;
  /** The queue of keys whose items the second region's copier copies; absent without a second region. */
  readonly copyKeys?: QueueAccess | undefined;
  /** Where members sign in, once that is on. */
  readonly signInUrl?: string | undefined;
  /** The console's name, if configured. */
  readonly consoleName?: string | undefined;
  /** CloudFront's hosts. A local stack accepts any host, unless hosts of projects are tenants. */
  readonly hosts?: (DeployedHosts & { readonly tenants?: TenantDistribution }) | undefined;
}

/** The hosts of a deployed stack's distribution. */
export interface DeployedHosts {
  /** The distribution's aliases; none if it has only CloudFront's name. */
  readonly aliases: readonly string[];
  /** The target of their DNS records. */
  readonly target?: string | undefined;
}

/** The distribution whose tenants are hosts. */
export interface TenantDistribution {
  readonly distributionId: string;
  readonly connectionGroupId: string;
  /** The target of hosts' CNAME records. */
  readonly target: string;
  /** The data folder of a local stack. */
  readonly localData?: string | undefined;
}

/** Opens a local stack and applies its rule for localhost as destination. Throws OperatorError if none runs there. */
export const localDeployment = async (data: string): Promise<DeploymentAccess> => {
  const { outputs, services, localDestinations } = await runningStack(data);
  if (localDestinations) allowLocalhost();
  return openDeployment(outputs, localServices(services, data));
};

/** Opens a deployed stack. `given` is the operator's `--region`. */
export const stackDeployment = async (stackName: string, given?: string): Promise<DeploymentAccess> => {
  const region = awsRegion({ given, stage: stageOf(stackName) });
  const client = clientConfig({ region });
  const outputs = await stackOutputs(stackName, client);
  const missing = ['TableName', 'ApiBaseUrl', 'ShortBaseUrl'].find((key) => !outputs[key]);
  if (missing !== undefined)
    throw new OperatorError(`The stack ${stackName} has no output ${missing}; is it a dynamic-link service?`);
  return openDeployment(outputs, { client });
};

/** Opens a deployment by its outputs, without any call. */
export const openDeployment = (outputs: Outputs, services: ServiceAccess): DeploymentAccess => {
  const { TableName: tableName = '', TakedownTable: takedownTable } = outputs;
  const queue = (name: string | undefined) => (name ? { name, services } : undefined);
  const { client, local } = services;
  const transport = sdkTransport(client);
  const table = (name: string) => openTable(transport, { name, policy: forOperators });
  return {
    stores: openStores(table(tableName)),
    apiBase: outputs.ApiBaseUrl ?? '',
    shortBase: outputs.ShortBaseUrl ?? '',
    shortHosts: [outputs.ShortHosts, outputs.ShortDomainTarget].filter(Boolean).join(','),
    access: client,
    tableName,
    ...(takedownTable && { takedownTable, takedowns: takedownRecord(table(takedownTable)) }),
    figuresRetentionDays: numberOf(outputs.FiguresRetentionDays),
    linksPerProject: numberOf(outputs.LinksPerProject),
    clickExportStream: local ? undefined : outputs.ClickExportStream,
    clickQueue: queue(outputs.ClickQueueName),
    copyKeys: queue(outputs.CopyKeysQueueUrl),
    webhooks: webhookAccessOf(outputs, services),
    signInUrl: outputs.SignInRedirect?.replace(/\/callback$/, ''),
    consoleName: outputs.ConsoleName && decodeURIComponent(outputs.ConsoleName),
    hosts: hostsOf(outputs, services),
  };
};

const numberOf = (output: string | undefined): number | undefined =>
  output === undefined ? undefined : Number(output);

const hostsOf = (outputs: Outputs, { local }: ServiceAccess): DeploymentAccess['hosts'] => {
  const { OwnHostsDistributionId: distributionId, OwnHostsConnectionGroupId: connectionGroupId } = outputs;
  const { OwnHostsTarget: target, ShortHosts = '', ShortDomainTarget } = outputs;
  const tenants =
    distributionId && connectionGroupId && target
      ? { distributionId, connectionGroupId, target, localData: local?.data }
      : undefined;
  if (local && !tenants) return undefined;
  return {
    aliases: ShortHosts.split(',').filter((host) => host !== ''),
    // A local stack has no DNS.
    ...(!local && { target: ShortDomainTarget }),
    ...(tenants && { tenants }),
  };
};

const stackOutputs = async (stackName: string, access: { readonly region?: string }) => {
  try {
    return (await describeStack(stackName, access)).outputs;
  } catch (error) {
    const { reasonOf } = await import('../aws/identity.ts');
    const reason = reasonOf(error);
    if (access.region === undefined && reason === 'Region is missing')
      throw new OperatorError('No region is set: give --region NAME or set AWS_REGION');
    const where = access.region === undefined ? '' : ` in ${access.region}`;
    throw new OperatorError(
      `The stack ${stackName} can't be read${where}: ${reason} (--region NAME looks in another one)`,
    );
  }
};
