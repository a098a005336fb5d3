import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { type ServiceName, serviceAccess, type TableAccess } from '../../core/table/connection.ts';

export type Outputs = Readonly<Record<string, string>>;

/** The services of a local stack, as stack.json has them. */
export interface LocalServices {
  readonly dynamodb: string;
  readonly sqs?: string | undefined;
  /** The operator's access key id, which may do anything. Only readers of stack.json have it. */
  readonly operatorKey?: string;
  readonly webhookSecret?: string;
}

/** Access to a deployment's services: by default with the AWS CLI's credentials, region and endpoint. */
export interface ServiceAccess {
  readonly client: DynamoDBClientConfig;
  readonly local?: LocalServices & { readonly data: string };
}

/** Access to the services of a local stack, or only an engine. */
export const localServices = (services: LocalServices, data = ''): ServiceAccess => ({
  client: localAccess(services.dynamodb, services.operatorKey),
  local: { ...services, data },
});

/** Access to local tables. A stack requires the operator's key of stack.json; an engine accepts any key. */
export const localAccess = (endpoint: string, operatorKey = 'operator'): DynamoDBClientConfig => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: operatorKey, secretAccessKey: 'local' },
});

/** Access for calling an AWS service without its SDK, with the region and credentials that the SDK finds. */
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
