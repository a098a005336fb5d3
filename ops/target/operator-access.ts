import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { serviceAccess, type TableAccess } from '../../core/table/connection.ts';
import type { ServiceName } from '../../core/table/signature.ts';

/** How to call a service of AWS with the operator's region and credentials, as the SDK finds them. */
export const operatorAccess = async (
  service: ServiceName,
  access: DynamoDBClientConfig,
): Promise<TableAccess> => {
  const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
  const { config } = new DynamoDBClient(access);
  const [region, credentials] = await Promise.all([config.region(), config.credentials()]);
  return {
    ...serviceAccess({ ...process.env, AWS_REGION: region }, service),
    credentials: () => credentials,
  };
};
