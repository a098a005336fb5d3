import type { EventSourceMapping, TableResource } from './assembly.ts';
import type { FunctionIndex } from './functions.ts';
import type { Properties } from './properties.ts';
import { streamArn, tableArn } from './references.ts';
import type { Resource } from './resource.ts';
import type { Resources } from './resources.ts';

export function readTables(resources: Resources): TableResource[] {
  return resources.ofType('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable').map((table) => {
    const { id, properties } = table;
    const ttl = properties.in('TimeToLiveSpecification');
    return {
      id,
      name: properties.text('TableName', id),
      arn: tableArn(table),
      ...(hasStream(properties) && { streamArn: streamArn(table) }),
      properties: properties.all,
      ...(ttl.flag('Enabled') && { ttlAttribute: ttl.text('AttributeName') }),
    };
  });
}

export function readStreamMapping(
  { id, properties }: Resource,
  { id: tableId }: TableResource,
  functions: FunctionIndex,
): EventSourceMapping {
  const destination = properties.in('DestinationConfig').in('OnFailure');
  return {
    id,
    functionId: functions.idOf(properties.text('FunctionName'), id),
    tableId,
    filters: properties
      .in('FilterCriteria')
      .each('Filters')
      .map((filter): Record<string, unknown> => JSON.parse(filter.text('Pattern'))),
    batchSize: properties.number('BatchSize', 100),
    batchingWindowSeconds: properties.number('MaximumBatchingWindowInSeconds', 0),
    tumblingWindowSeconds: properties.number('TumblingWindowInSeconds', 0),
    startingPosition: properties.text('StartingPosition') === 'LATEST' ? 'LATEST' : 'TRIM_HORIZON',
    bisectBatchOnError: properties.flag('BisectBatchOnFunctionError'),
    reportBatchItemFailures: properties.texts('FunctionResponseTypes').includes('ReportBatchItemFailures'),
    maximumRetryAttempts: properties.number('MaximumRetryAttempts', -1),
    maximumRecordAgeSeconds: properties.number('MaximumRecordAgeInSeconds', -1),
    ...(destination.has('Destination') && { onFailure: destination.text('Destination') }),
  };
}

function hasStream(properties: Properties): boolean {
  return properties.has('StreamSpecification');
}
