import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** A table's warm throughput in units a second; undefined for the local engine. */
export const warmThroughputOf = async (
  access: DynamoDBClientConfig,
  tableName: string,
): Promise<{ readonly reads: number; readonly writes: number } | undefined> => {
  const { DescribeTableCommand, DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
  const { Table } = await new DynamoDBClient(access).send(new DescribeTableCommand({ TableName: tableName }));
  const { ReadUnitsPerSecond: reads = 0, WriteUnitsPerSecond: writes = 0 } = Table?.WarmThroughput ?? {};
  return Table?.WarmThroughput && { reads, writes };
};

/** The `warmThroughput` setting for this many visits a second. */
export const warmThroughputFor = (visits: number): string =>
  `warmThroughput=${Math.max(12_000, visits)},${Math.max(4000, visits)}`;
