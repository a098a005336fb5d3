import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { tableSchema } from '../../core/table/keys.ts';

/** The emulator's address, and credentials that it accepts. */
interface EmulatorAccess {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export const tableOf = async (stackName: string, access: EmulatorAccess): Promise<string> => {
  const client = new CloudFormationClient(access);
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
  client.destroy();
  const output = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'TableName');
  if (!output?.OutputValue) throw new Error(`The stack ${stackName} has no output TableName`);
  return output.OutputValue;
};

/** A table that a deployment can adopt: the context values that name it. */
export interface Adoptable {
  readonly tableName: string;
  readonly tableStreamArn: string;
}

/**
 * Restores a table into a copy and sets what a restore leaves out, as docs/restore.md says. The caller deploys with the
 * result.
 */
export const restoreForAdoption = async (access: EmulatorAccess, lost: string): Promise<Adoptable> => {
  const client = new DynamoDBClient(access);
  const TableName = `${lost}-restored`;
  try {
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: lost,
        TargetTableName: TableName,
        UseLatestRestorableTime: true,
      }),
    );
    await waitUntilTableExists({ client, minDelay: 1, maxWaitTime: 60 }, { TableName });
    const stream = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;
    const { TableDescription } = await client.send(
      new UpdateTableCommand({ TableName, StreamSpecification: stream, DeletionProtectionEnabled: true }),
    );
    const ttl = { Enabled: true, AttributeName: tableSchema.ttl };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: ttl }));
    const tableStreamArn = TableDescription?.LatestStreamArn;
    if (!tableStreamArn) throw new Error(`${TableName} has no stream`);
    return { tableName: TableName, tableStreamArn };
  } finally {
    client.destroy();
  }
};
