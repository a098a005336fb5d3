import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** How many units a second a table takes at once; the local engine says nothing. */
export const warmThroughputOf = async (
  access: DynamoDBClientConfig,
  tableName: string,
): Promise<{ readonly reads: number; readonly writes: number } | undefined> => {
  const { DescribeTableCommand, DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
  const { Table } = await new DynamoDBClient(access).send(new DescribeTableCommand({ TableName: tableName }));
  const { ReadUnitsPerSecond: reads = 0, WriteUnitsPerSecond: writes = 0 } = Table?.WarmThroughput ?? {};
  return Table?.WarmThroughput && { reads, writes };
};

/** The setting of a deployment whose table takes so many visits a second at once. */
export const warmThroughputFor = (visits: number): string =>
  `warmThroughput=${Math.max(12_000, visits)},${Math.max(4000, visits)}`;
