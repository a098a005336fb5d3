import { CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as glue from 'aws-cdk-lib/aws-glue';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as firehose from 'aws-cdk-lib/aws-kinesisfirehose';
import * as logs from 'aws-cdk-lib/aws-logs';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { clickColumns } from '../core/export/click-rows.ts';
import type { Config } from './config.ts';
import { privateBucket } from './kept.ts';

const folder = 'clicks';

/** Clicks as rows in Parquet files, one folder for each day, with a table over them for Athena. */
export class ClickExport extends Construct {
  readonly stream: firehose.CfnDeliveryStream;
  private readonly databaseName: string;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    this.databaseName = Stack.of(this).stackName.toLowerCase().replaceAll('-', '_');
    const bucket = privateBucket(this, 'Files', config, {
      abortIncompleteMultipartUploadAfter: Duration.days(7),
    });
    const table = this.table(bucket);
    this.stream = this.deliveryStream(bucket, table, config);
    // For `dls export redrive`.
    new CfnOutput(this, 'StreamName', { value: this.stream.ref }).overrideLogicalId('ClickExportStream');
    new CfnOutput(this, 'Bucket', { value: bucket.bucketName }).overrideLogicalId('ClickExportBucket');
    new CfnOutput(this, 'Table', { value: `${this.databaseName}.${folder}` }).overrideLogicalId(
      'ClickExportTable',
    );
  }

  /** Lets a function put rows, and do nothing else with the stream. */
  grantPut(grantee: iam.IGrantable): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new iam.PolicyStatement({
        actions: ['firehose:PutRecordBatch'],
        resources: [this.stream.attrArn],
      }),
    );
  }

  private table(bucket: s3.Bucket): glue.CfnTable {
    const { account } = Stack.of(this);
    const database = new glue.CfnDatabase(this, 'Database', {
      catalogId: account,
      databaseInput: { name: this.databaseName },
    });
    const location = `s3://${bucket.bucketName}/${folder}/`;
    const table = new glue.CfnTable(this, 'Clicks', {
      catalogId: account,
      databaseName: this.databaseName,
      tableInput: {
        name: folder,
        tableType: 'EXTERNAL_TABLE',
        partitionKeys: [{ name: 'day', type: 'string', comment: 'When the row was written, UTC' }],
        // Athena works the folders out of these, so nobody has to add partitions.
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
      },
    });
    table.addResourceDependency(database);
    return table;
  }

  private deliveryStream(
    bucket: s3.Bucket,
    table: glue.CfnTable,
    config: Config,
  ): firehose.CfnDeliveryStream {
    const logGroup = new logs.LogGroup(this, 'Logs', {
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const { logStreamName } = new logs.LogStream(this, 'LogStream', {
      logGroup,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = this.writer(bucket, logGroup);
    const stream = new firehose.CfnDeliveryStream(this, 'Stream', {
      deliveryStreamType: 'DirectPut',
      deliveryStreamEncryptionConfigurationInput: { keyType: 'AWS_OWNED_CMK' },
      extendedS3DestinationConfiguration: {
        bucketArn: bucket.bucketArn,
        roleArn: role.roleArn,
        prefix: `${folder}/day=!{timestamp:yyyy-MM-dd}/`,
        errorOutputPrefix: 'errors/!{firehose:error-output-type}/day=!{timestamp:yyyy-MM-dd}/',
        // Large files make queries cheap; rows wait for them five minutes at most.
        bufferingHints: { intervalInSeconds: 300, sizeInMBs: 128 },
        // The files' own columns are compressed.
        compressionFormat: 'UNCOMPRESSED',
        cloudWatchLoggingOptions: {
          enabled: true,
          logGroupName: logGroup.logGroupName,
          logStreamName,
        },
        dataFormatConversionConfiguration: {
          enabled: true,
          schemaConfiguration: {
            catalogId: Stack.of(this).account,
            databaseName: this.databaseName,
            tableName: table.ref,
            region: Stack.of(this).region,
            roleArn: role.roleArn,
            versionId: 'LATEST',
          },
          inputFormatConfiguration: { deserializer: { openXJsonSerDe: {} } },
          outputFormatConfiguration: { serializer: { parquetSerDe: { compression: 'SNAPPY' } } },
        },
      },
    });
    // Firehose looks at its rights when it is made.
    stream.node.addDependency(role);
    return stream;
  }

  /** What Firehose may do: write files and log lines, and read the table's columns. */
  private writer(bucket: s3.Bucket, logGroup: logs.LogGroup): iam.Role {
    const role = new iam.Role(this, 'Role', {
      assumedBy: new iam.ServicePrincipal('firehose.amazonaws.com'),
    });
    const glueArn = (resource: string) => Stack.of(this).formatArn({ service: 'glue', resource });
    for (const [actions, resources] of [
      [['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'], [bucket.bucketArn]],
      [['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'], [bucket.arnForObjects('*')]],
      [
        ['glue:GetTable', 'glue:GetTableVersion', 'glue:GetTableVersions'],
        ['catalog', `database/${this.databaseName}`, `table/${this.databaseName}/${folder}`].map(glueArn),
      ],
      [['logs:PutLogEvents'], [logGroup.logGroupArn]],
    ] as const) {
      role.addToPolicy(new iam.PolicyStatement({ actions: [...actions], resources: [...resources] }));
    }
    return role;
  }
}
