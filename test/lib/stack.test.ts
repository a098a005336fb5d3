import { Match } from 'aws-cdk-lib/assertions';
import { grantsOf, synthesizedStack } from '../support/template.ts';

const dev = synthesizedStack();
const prod = synthesizedStack({ stage: 'prod' });

const onlyOf = (type: string) => {
  const entries = Object.entries(dev.findResources(type));
  expect(entries).toHaveLength(1);
  return entries[0] as [string, { Properties: Record<string, unknown> }];
};

const functionNamed = (start: string) =>
  Object.keys(dev.findResources('AWS::Lambda::Function')).find((id) => id.startsWith(start)) ?? '';

describe('the table', () => {
  test('has the keys, index, stream and TTL that the stores rely on', () => {
    dev.hasResourceProperties('AWS::DynamoDB::Table', {
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      GlobalSecondaryIndexes: [Match.objectLike({ IndexName: 'listings' })],
    });
  });

  test('outlives the stack in prod, and goes with it in dev', () => {
    prod.hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Retain',
      Properties: { DeletionProtectionEnabled: true },
    });
    dev.hasResource('AWS::DynamoDB::Table', { DeletionPolicy: 'Delete' });
  });
});

describe('the clicks', () => {
  test('are aggregated by a mapping that keeps its promises', () => {
    dev.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: { Ref: functionNamed('ClicksAggregateClicks') },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 1000,
      ParallelizationFactor: 1,
      TumblingWindowInSeconds: 900,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: -1,
      FilterCriteria: {
        Filters: [
          {
            Pattern:
              '{"eventName":["INSERT","MODIFY"],"dynamodb":{"Keys":{"PK":{"S":[{"prefix":"VISITOR#"}]}}}}',
          },
        ],
      },
      DestinationConfig: { OnFailure: { Destination: Match.anyValue() } },
    });
  });

  test('expiry follows what TTL removed, and nothing that anybody deleted', () => {
    dev.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: { Ref: functionNamed('ClicksExpireLinks') },
      FilterCriteria: {
        Filters: [{ Pattern: Match.stringLikeRegexp('"REMOVE".*"dynamodb.amazonaws.com".*"EXPIRY"') }],
      },
    });
  });

  test.each([
    ['ClicksAggregateClicks', ['dynamodb:UpdateItem']],
    ['ClicksExpireLinks', ['dynamodb:UpdateItem']],
    ['ShortLinksRedirect', ['dynamodb:GetItem', 'dynamodb:UpdateItem']],
    ['ApiAuthorize', ['dynamodb:GetItem']],
  ])('%s may do %j with the table', (start, actions) => {
    expect(grantsOf(dev, functionNamed(start)).actions).toEqual(actions);
  });
});

describe('the short URLs', () => {
  test('are neither cached nor repeated, and no error is remembered', () => {
    const [, { Properties }] = onlyOf('AWS::CloudFront::Distribution');
    expect(Properties.DistributionConfig).toMatchObject({
      HttpVersion: 'http2and3',
      DefaultCacheBehavior: {
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        ViewerProtocolPolicy: 'redirect-to-https',
      },
      Origins: [{ ConnectionAttempts: 1, OriginAccessControlId: expect.anything() }],
      CustomErrorResponses: expect.arrayContaining(
        [404, 414, 500, 501, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
      ),
    });
  });

  test('pass on at most ten headers', () => {
    const [, { Properties }] = onlyOf('AWS::CloudFront::OriginRequestPolicy');
    const { HeadersConfig } = Properties.OriginRequestPolicyConfig as {
      HeadersConfig: { Headers: string[] };
    };
    expect(HeadersConfig.Headers.length).toBeLessThanOrEqual(10);
    expect(HeadersConfig.Headers).toEqual(
      expect.arrayContaining(['User-Agent', 'CloudFront-Viewer-Address']),
    );
  });

  test('may be reached through the distribution alone', () => {
    for (const action of ['lambda:InvokeFunctionUrl', 'lambda:InvokeFunction']) {
      dev.hasResourceProperties('AWS::Lambda::Permission', {
        Action: action,
        Principal: 'cloudfront.amazonaws.com',
        FunctionName: {
          'Fn::GetAtt': [Match.stringLikeRegexp('^ShortLinksRedirectFunction'), Match.anyValue()],
        },
      });
    }
    dev.hasResourceProperties('AWS::Lambda::Url', { AuthType: 'AWS_IAM' });
  });

  test('hash visitors with a secret that the template does not hold', () => {
    const { VISITOR_SECRET } =
      dev.toJSON().Resources[functionNamed('ShortLinksRedirect')].Properties.Environment.Variables;
    expect(JSON.stringify(VISITOR_SECRET)).toContain('{{resolve:secretsmanager:');
  });
});
