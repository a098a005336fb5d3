import { CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as glue from 'aws-cdk-lib/aws-glue';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as firehose from 'aws-cdk-lib/aws-kinesisfirehose';
import { type LogGroup, LogStream } from 'aws-cdk-lib/aws-logs';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { clickColumns } from '../core/click-export/click-rows.ts';
import type { Config } from './config.ts';
import { logGroup, privateBucket } from './retained.ts';

const folder = 'clicks';

/** The export of clicks as rows in Parquet files, one folder a day, with a table for Athena. Returns the stream for rows. */
export const addClickExport = (parent: Construct, config: Config): firehose.CfnDeliveryStream => {
  const scope = new Construct(parent, 'Export');
  const { account, region, stackName } = Stack.of(scope);
  const databaseName = stackName.toLowerCase().replaceAll('-', '_');
  const bucket = privateBucket(scope, 'Files', config, {
    abortIncompleteMultipartUploadAfter: Duration.days(7),
  });
  const database = new glue.CfnDatabase(scope, 'Database', {
    catalogId: account,
    databaseInput: { name: databaseName },
  });
  const table = new glue.CfnTable(scope, 'Clicks', {
    catalogId: account,
    databaseName,
    tableInput: tableInput(`s3://${bucket.bucketName}/${folder}/`),
  });
  table.addResourceDependency(database);
  const logs = logGroup(scope, 'Logs', config);
  const { logStreamName } = new LogStream(scope, 'LogStream', {
    logGroup: logs,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = addWriter(scope, bucket, logs, databaseName);
  const stream = new firehose.CfnDeliveryStream(scope, 'Stream', {
    deliveryStreamType: 'DirectPut',
    deliveryStreamEncryptionConfigurationInput: { keyType: 'AWS_OWNED_CMK' },
    extendedS3DestinationConfiguration: {
      bucketArn: bucket.bucketArn,
      roleArn: role.roleArn,
      prefix: `${folder}/day=!{timestamp:yyyy-MM-dd}/`,
      errorOutputPrefix: 'errors/!{firehose:error-output-type}/day=!{timestamp:yyyy-MM-dd}/',
      // Large files make queries cheap; rows wait at most five minutes.
      bufferingHints: { intervalInSeconds: 300, sizeInMBs: 128 },
      // Parquet compresses its columns itself.
      compressionFormat: 'UNCOMPRESSED',
      cloudWatchLoggingOptions: { enabled: true, logGroupName: logs.logGroupName, logStreamName },
      dataFormatConversionConfiguration: {
        enabled: true,
        schemaConfiguration: {
          catalogId: account,
          databaseName,
          tableName: table.ref,
          region,
          roleArn: role.roleArn,
          versionId: 'LATEST',
        },
        inputFormatConfiguration: { deserializer: { openXJsonSerDe: {} } },
        outputFormatConfiguration: { serializer: { parquetSerDe: { compression: 'SNAPPY' } } },
      },
    },
  });
  // Firehose checks its permissions when it is created.
  stream.node.addDependency(role);
  // Outputs for `dls export redrive`.
  const outputs = { StreamName: stream.ref, Bucket: bucket.bucketName, Table: `${databaseName}.${folder}` };
  for (const [name, value] of Object.entries(outputs))
    new CfnOutput(scope, name, { value }).overrideLogicalId(`ClickExport${name.replace('Name', '')}`);
  return stream;
};

const tableInput = (location: string): glue.CfnTable.TableInputProperty => ({
  name: folder,
  tableType: 'EXTERNAL_TABLE',
  partitionKeys: [{ name: 'day', type: 'string', comment: 'When the row was written, UTC' }],
  // Athena derives folders from these, so no partitions have to be added.
  parameters: {
    classification: 'parquet',
    'projection.enabled': 'true',
    'projection.day.type': 'date',
    'projection.day.format': 'yyyy-MM-dd',
    'projection.day.range': '2026-01-01,NOW',
    'storage.location.template': `${location}day=\${day}/`,
  },
  storageDescriptor: {
    columns: Object.entries(clickColumns).map(([name, column]) => ({ name, ...column })),
    location,
    inputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat',
    outputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat',
    serdeInfo: { serializationLibrary: 'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe' },
  },
});

/** Firehose's role, which may write files and log lines, and read the table's columns. */
const addWriter = (scope: Construct, bucket: s3.Bucket, logs: LogGroup, databaseName: string): iam.Role => {
  const { account } = Stack.of(scope);
  // AWS doesn't document whether Firehose passes the account that it acts for.
  const conditions = { StringEqualsIfExists: { 'sts:ExternalId': account, 'aws:SourceAccount': account } };
  const assumedBy = new iam.ServicePrincipal('firehose.amazonaws.com', { conditions });
  const role = new iam.Role(scope, 'Role', { assumedBy });
  const glueArn = (resource: string) => Stack.of(scope).formatArn({ service: 'glue', resource });
  for (const [actions, resources] of [
    [['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'], [bucket.bucketArn]],
    [['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'], [bucket.arnForObjects('*')]],
    [
      ['glue:GetTable', 'glue:GetTableVersion', 'glue:GetTableVersions'],
      ['catalog', `database/${databaseName}`, `table/${databaseName}/${folder}`].map(glueArn),
    ],
    [['logs:PutLogEvents'], [logs.logGroupArn]],
  ] as const) {
    role.addToPolicy(new iam.PolicyStatement({ actions: [...actions], resources: [...resources] }));
  }
  return role;
};
