import type { DeliveryStream } from './assembly.ts';
import { deliveryStreamArn } from './references.ts';
import type { Resources } from './resources.ts';

/** Delivery streams that write Parquet to S3 by the columns of a Glue table; others are skipped. */
export function readDeliveryStreams(resources: Resources): DeliveryStream[] {
  return resources.ofType('AWS::KinesisFirehose::DeliveryStream').flatMap((resource) => {
    const { id, properties } = resource;
    const destination = properties.in('ExtendedS3DestinationConfiguration');
    const conversion = destination.in('DataFormatConversionConfiguration');
    const output = conversion.in('OutputFormatConfiguration').in('Serializer');
    if (!conversion.flag('Enabled') || !output.has('ParquetSerDe')) return [];
    const schema = conversion.in('SchemaConfiguration');
    return {
      id,
      name: properties.text('DeliveryStreamName', id),
      arn: deliveryStreamArn(resource),
      prefix: destination.text('Prefix', ''),
      columns: columnsOf(resources, schema.text('DatabaseName'), schema.text('TableName'), id),
    };
  });
}

function columnsOf(resources: Resources, database: string, name: string, where: string) {
  const table = resources
    .ofType('AWS::Glue::Table')
    .map(({ properties }) => properties)
    .find((one) => one.text('DatabaseName') === database && one.in('TableInput').text('Name') === name);
  if (!table) throw new Error(`${where}: the template has no Glue table ${database}.${name}`);
  return table
    .in('TableInput')
    .in('StorageDescriptor')
    .each('Columns')
    .map((column) => ({ name: column.text('Name'), type: column.text('Type', 'string') }));
}
