import { Match } from 'aws-cdk-lib/assertions';
import { templateContexts } from '../../../bin/template-contexts.ts';
import { recordProperties, tableProperties } from '../../support/table-properties.ts';
import { grantsOf, optionsContext, stagingContext, synthesizedStack } from '../../support/template.ts';

const dev = synthesizedStack();
const chosen = synthesizedStack(optionsContext);

const functionNamed = (start: string) =>
  Object.keys(dev.findResources('AWS::Lambda::Function')).find((id) => id.startsWith(start)) ?? '';

describe('the table', () => {
  test('has the keys, index, stream and TTL that the stores rely on', () => {
    const tables = Object.values(dev.findResources('AWS::DynamoDB::Table'));
    expect(tables.map(({ Properties }) => Properties)).toEqual([tableProperties, recordProperties]);
  });

  test('is warmed if the deployment sets it', () => {
    chosen.hasResourceProperties('AWS::DynamoDB::Table', {
      WarmThroughput: { ReadUnitsPerSecond: 150_000, WriteUnitsPerSecond: 50_000 },
    });
  });

  test('and its index provide the capacity that the deployment pays for', () => {
    const provided = synthesizedStack(templateContexts['prod on own domains']);
    provided.hasResourceProperties('AWS::DynamoDB::Table', {
      BillingMode: Match.absent(),
      ProvisionedThroughput: { ReadCapacityUnits: 500, WriteCapacityUnits: 1500 },
      GlobalSecondaryIndexes: [
        Match.objectLike({ ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 } }),
      ],
    });
  });
});

test('a stage that is like prod keeps its data, and has its own name', () => {
  const staging = synthesizedStack(stagingContext);
  // The record of take-downs as well.
  staging.allResources('AWS::DynamoDB::Table', {
    DeletionPolicy: 'Retain',
    Properties: { DeletionProtectionEnabled: true },
  });
  staging.hasResourceProperties('AWS::ApiGateway::Stage', { StageName: 'staging' });
  staging.resourceCountIs('AWS::CodeDeploy::Application', 1);
  const secrets = Object.values(staging.findResources('AWS::SecretsManager::Secret'));
  for (const { DeletionPolicy } of secrets) expect(DeletionPolicy).toBe('RetainExceptOnCreate');
});

test('the secrets are in the environments that need them, and in no other', () => {
  const readersOf = (variable: string) =>
    Object.entries(dev.findResources('AWS::Lambda::Function'))
      .filter(([, { Properties }]) => variable in Properties.Environment.Variables)
      .map(([id]) => id)
      .sort();
  expect(readersOf('VISITOR_SECRET')).toEqual(['ShortLinksAppLink', 'ShortLinksRedirect'].map(functionNamed));
  expect(readersOf('WEBHOOK_SECRET')).toEqual([functionNamed('WebhooksSendEvents')]);
});

test('no function may access the takedown record', () => {
  const record = Object.keys(dev.findResources('AWS::DynamoDB::Table')).find((id) =>
    id.startsWith('Takedowns'),
  );
  expect(record).toBeDefined();
  for (const type of ['AWS::IAM::Policy', 'AWS::Lambda::Function'])
    expect(JSON.stringify(dev.findResources(type))).not.toContain(record);
});

test('the role with which API Gateway writes logs stays, as other APIs may use it', () => {
  const [account] = Object.values(dev.findResources('AWS::ApiGateway::Account'));
  const [, role] =
    Object.entries(dev.findResources('AWS::IAM::Role')).find(([id]) =>
      JSON.stringify(account?.Properties.CloudWatchRoleArn).includes(`"${id}"`),
    ) ?? [];
  expect([account?.DeletionPolicy, role?.DeletionPolicy]).toEqual(['Retain', 'Retain']);
});

describe('the clicks', () => {
  test('are aggregated by a mapping with exact settings', () => {
    dev.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: { Ref: functionNamed('ClicksAggregateClicks') },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 5000,
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

  test('the reader of events only gets links, visitors and removals by TTL', () => {
    dev.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: { Ref: functionNamed('ClicksExpireLinks') },
      FilterCriteria: {
        Filters: [
          { Pattern: Match.stringLikeRegexp('^."dynamodb.*"prefix":"LINK#".*"LINK"') },
          { Pattern: Match.stringLikeRegexp('"INSERT","MODIFY".*"prefix":"VISITOR#"') },
          { Pattern: Match.stringLikeRegexp('"REMOVE".*"dynamodb.amazonaws.com".*"EXPIRY"') },
        ],
      },
    });
  });

  test.each([
    [
      'ClicksAggregateClicks',
      ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
      ['LINK#*', 'SERIES#*'],
      ['SERIES#*'],
    ],
    ['ApiAuthorize', ['dynamodb:GetItem', 'dynamodb:UpdateItem'], ['KEY#*'], ['KEYUSE#*']],
  ])('%s may do %j with the items %j %j', (start, actions, ...keys) => {
    expect(grantsOf(dev, functionNamed(start))).toMatchObject({ actions, leadingKeys: keys });
  });
});

describe('settings of a deployment reach the functions that need them', () => {
  const environmentOf = (template: typeof dev, start: string) => {
    const [, found] =
      Object.entries(template.findResources('AWS::Lambda::Function')).find(([id]) => id.startsWith(start)) ??
      [];
    return found?.Properties.Environment.Variables;
  };

  test('outputs have the retention of analytics and the name of the console', () => {
    chosen.hasOutput('ConsoleName', { Value: 'M%C3%BCller%20%26%20S%C3%B6hne' });
    chosen.hasOutput('FiguresRetentionDays', { Value: '400' });
    expect(dev.findOutputs('FiguresRetentionDays')).toEqual({});
  });

  test.each([
    ['ShortLinksRedirect', 'ABUSE_CONTACT', 'mailto:abuse@example.com'],
    ['ShortLinksQr', 'ABUSE_CONTACT', 'mailto:abuse@example.com'],
    ['ClicksAggregateClicks', 'FIGURES_RETENTION_DAYS', '400'],
    ['ApiGetLink', 'FIGURES_RETENTION_DAYS', '400'],
  ])('%s gets %s=%s only if it is set', (start, name, value) => {
    expect(environmentOf(chosen, start)).toMatchObject({ [name]: value });
    expect(environmentOf(dev, start)).not.toHaveProperty(name);
  });
});

test('the functions of short URLs, and the sender of events, have the reserved concurrency of the deployment, else none', () => {
  const reserved = (template: typeof dev) =>
    Object.entries(template.findResources('AWS::Lambda::Function'))
      .filter(([, { Properties }]) => Properties.ReservedConcurrentExecutions !== undefined)
      .map(([id, { Properties }]) => [id, Properties.ReservedConcurrentExecutions]);
  expect(reserved(dev)).toEqual([]);
  // A flood on QR codes or association files also leaves the rest of the account to the API.
  expect(Object.fromEntries(reserved(chosen))).toEqual({
    [functionNamed('ShortLinksRedirect')]: 202,
    [functionNamed('ShortLinksQr')]: 51,
    [functionNamed('ShortLinksAppLink')]: 51,
    [functionNamed('ShortLinksWellKnown')]: 51,
    // Unknown keys cost it a call each.
    [functionNamed('ApiAuthorize')]: 51,
    // Its turns take nothing from the API, and the API nothing from them.
    [functionNamed('WebhooksSendEvents')]: 10,
  });
});

test("a budget publishes to the alarms' topic at 80 and at 100 %, and may do so", () => {
  dev.resourceCountIs('AWS::Budgets::Budget', 0);
  const topic = { Ref: Object.keys(chosen.findResources('AWS::SNS::Topic'))[0] };
  const [budget] = Object.values(chosen.findResources('AWS::Budgets::Budget'));
  expect(budget?.Properties.Budget).toEqual({
    BudgetType: 'COST',
    TimeUnit: 'MONTHLY',
    BudgetLimit: { Amount: 49.5, Unit: 'USD' },
  });
  expect(
    budget?.Properties.NotificationsWithSubscribers.map(
      (one: { Notification: { Threshold: number }; Subscribers: unknown }) => [
        one.Notification.Threshold,
        one.Subscribers,
      ],
    ),
  ).toEqual([80, 100].map((threshold) => [threshold, [{ SubscriptionType: 'SNS', Address: topic }]]));
  chosen.hasResourceProperties('AWS::SNS::TopicPolicy', {
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({
          Effect: 'Allow',
          Action: 'sns:Publish',
          Principal: { Service: Match.arrayWith(['budgets.amazonaws.com']) },
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        }),
      ]),
    },
  });
});
