import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { type ServiceName, serviceAccess, type TableAccess } from '../../core/table/connection.ts';

/** What a deployment states of itself, by the names of its template's outputs. */
export type Outputs = Readonly<Record<string, string>>;

/** The services of a local stack, as stack.json has them. */
export interface LocalServices {
  readonly dynamodb: string;
  readonly sqs?: string | undefined;
  /** The access key id of calls that may do anything: only who can read stack.json knows it. */
  readonly operatorKey?: string;
  /** What the secrets of webhooks follow from. */
  readonly webhookSecret?: string;
}

/** How the services of a deployment are reached: by default with credentials, region and endpoint of the AWS CLI's. */
export interface ServiceAccess {
  readonly client: DynamoDBClientConfig;
  readonly local?: LocalServices & { readonly data: string };
}

/** Those of the stack that runs in a data folder, or an engine alone. */
export const localServices = (services: LocalServices, data = ''): ServiceAccess => ({
  client: localAccess(services.dynamodb, services.operatorKey),
  local: { ...services, data },
});

/** A stack's tables know their operator by the key in stack.json. An engine alone takes any. */
export const localAccess = (endpoint: string, operatorKey = 'operator'): DynamoDBClientConfig => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: operatorKey, secretAccessKey: 'local' },
});

/** How to call a service of AWS's without its SDK, with the region and credentials that the SDK finds. */
export const operatorAccess = async (
  service: ServiceName,
  { client, local }: ServiceAccess,
): Promise<TableAccess> => {
  const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
  const { config } = new DynamoDBClient(client);
  const [region, credentials] = await Promise.all([config.region(), config.credentials()]);
  return {
    ...serviceAccess({ ...process.env, AWS_REGION: region }, service),
    ...(local && service === 'sqs' && { endpoint: new URL(local.sqs ?? '') }),
    credentials: () => credentials,
  };
};
