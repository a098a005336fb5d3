import { Match } from 'aws-cdk-lib/assertions';
import { templateContexts } from '../../../bin/template-contexts.ts';
import { clickColumns } from '../../../core/click-export/click-rows.ts';
import { optionsContext, synthesizedStack } from '../../support/template.ts';

const kinds = /Glue|Firehose|ClickExport|CLICK_EXPORT|firehose/;

test('a template has an export only with export=on', () => {
  expect(JSON.stringify(synthesizedStack().toJSON())).not.toMatch(kinds);
});

describe('with export=on', () => {
  const template = synthesizedStack(optionsContext);
  const [[streamId = ''] = []] = Object.entries(
    template.findResources('AWS::KinesisFirehose::DeliveryStream'),
  );

  test("only the aggregator may put rows, and has the stream's name", () => {
    const statements = Object.values(template.findResources('AWS::IAM::Policy')).flatMap(
      ({ Properties }) => Properties.PolicyDocument.Statement,
    );
    const puts = statements.filter(({ Action }) => JSON.stringify(Action).includes('firehose:'));
    expect(puts).toEqual([
      {
        Action: 'firehose:PutRecordBatch',
        Effect: 'Allow',
        Resource: { 'Fn::GetAtt': [streamId, 'Arn'] },
      },
    ]);
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description: Match.stringLikeRegexp('^Adds clicks'),
      Environment: { Variables: Match.objectLike({ CLICK_EXPORT_STREAM: { Ref: streamId } }) },
    });
  });

  test("Firehose and CodeDeploy only act for the deployment's own account", () => {
    const roles = Object.values(
      synthesizedStack(templateContexts['prod on own domains']).findResources('AWS::IAM::Role'),
    );
    const trusting = (service: string) =>
      roles
        .flatMap(({ Properties }) => Properties.AssumeRolePolicyDocument.Statement)
        .filter(({ Principal }) => Principal.Service === `${service}.amazonaws.com`)
        .map(({ Condition }) => Condition);
    const account = { Ref: 'AWS::AccountId' };
    expect(trusting('codedeploy')).toEqual([{ StringEquals: { 'aws:SourceAccount': account } }]);
    expect(trusting('firehose')).toEqual([
      { StringEqualsIfExists: { 'sts:ExternalId': account, 'aws:SourceAccount': account } },
    ]);
  });

  test('rows become Parquet by the columns of the table, in a folder for each day', () => {
    const [[tableId = '', table] = []] = Object.entries(template.findResources('AWS::Glue::Table'));
    const columns = table?.Properties.TableInput.StorageDescriptor.Columns;
    expect(columns.map(({ Name, Type }: Record<string, string>) => [Name, Type])).toEqual(
      Object.entries(clickColumns).map(([name, { type }]) => [name, type]),
    );
    template.hasResourceProperties('AWS::KinesisFirehose::DeliveryStream', {
      ExtendedS3DestinationConfiguration: {
        Prefix: 'clicks/day=!{timestamp:yyyy-MM-dd}/',
        DataFormatConversionConfiguration: {
          SchemaConfiguration: { TableName: { Ref: tableId } },
          InputFormatConfiguration: { Deserializer: { OpenXJsonSerDe: {} } },
          OutputFormatConfiguration: { Serializer: { ParquetSerDe: {} } },
        },
      },
    });
  });

  test('partitions need no maintenance', () => {
    template.hasResourceProperties('AWS::Glue::Table', {
      TableInput: {
        PartitionKeys: [Match.objectLike({ Name: 'day' })],
        Parameters: {
          'projection.enabled': 'true',
          'projection.day.type': 'date',
          'projection.day.format': 'yyyy-MM-dd',
          'storage.location.template': {
            'Fn::Join': [
              '',
              ['s3://', Match.anyValue(), Match.stringLikeRegexp('^/clicks/day=[$][{]day[}]/$')],
            ],
          },
        },
      },
    });
  });
});
