import { grantsOf, synthesizedStack } from '../../support/template.ts';

const context = { stage: 'prod', region: 'eu-west-1', warmThroughput: '15000,5000' };
const withStandby = { ...context, standby: 'eu-central-1' };
const [off, main, standby] = [
  synthesizedStack(context),
  synthesizedStack(withStandby),
  synthesizedStack(withStandby, 'standby'),
];

interface Resources {
  readonly [id: string]: { readonly Type: string; readonly Properties: object };
}
const resourcesOf = (template: typeof off): Resources => template.toJSON().Resources;

describe('with a second region,', () => {
  test('the main stack has what copies items and fails over, and changes nothing else', () => {
    const [without, with_] = [resourcesOf(off), resourcesOf(main)];
    const added = Object.keys(with_).filter((id) => !without[id]);
    expect(
      added.filter((id) => !/^(Copying|MonitoringCopy|ShortLinksBehaviorsAccessStandby)/.test(id)),
    ).toEqual([]);
    const changed = Object.keys(without).filter(
      (id) => JSON.stringify(without[id]) !== JSON.stringify(with_[id]),
    );
    expect(
      changed.filter(
        (id) =>
          !/^(ClicksExpireLinks|ShortLinksVisitorSecret|ShortLinksDistribution\w{8}$|ShortLinksBehaviorsViewerRequest)|Dashboard/.test(
            id,
          ),
      ),
    ).toEqual([]);
  });

  test('its table has no stream, TTL or index, and as much warm throughput as the main table', () => {
    const [table, ...others] = Object.values(standby.findResources('AWS::DynamoDB::Table'));
    expect(others).toEqual([]);
    expect(table?.Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      WarmThroughput: { ReadUnitsPerSecond: 15_000, WriteUnitsPerSecond: 5000 },
    });
    expect(Object.keys(table?.Properties)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/Stream|TimeToLive|SecondaryIndex/)]),
    );
  });

  test('its functions only read its table, and name nothing of the first region', () => {
    const functions = Object.keys(standby.findResources('AWS::Lambda::Function'));
    expect(functions).toHaveLength(3);
    for (const id of functions) {
      const { actions, resources } = grantsOf(standby, id);
      expect(actions.filter((action) => !['dynamodb:GetItem', 'dynamodb:Query'].includes(action))).toEqual(
        [],
      );
      expect(resources.filter((one) => one['Fn::GetAtt']?.[0] !== 'Copy1ED8A51E')).toEqual([]);
    }
    expect(JSON.stringify(standby.toJSON())).not.toMatch(/GetStackOutput|arn:[^"]*eu-west-1/);
  });

  test('the main stack reads outputs as they are, because AWS documents no function around Fn::GetStackOutput', () => {
    const origins = Object.values(main.findResources('AWS::CloudFront::Distribution')).flatMap(
      ({ Properties }) => Properties.DistributionConfig.Origins,
    );
    const hosts = origins.filter(({ Id }) => Id.startsWith('Standby')).map(({ DomainName }) => DomainName);
    expect(hosts).toEqual(
      ['WellKnownHost', 'RedirectHost'].map((OutputName) => ({
        'Fn::GetStackOutput': expect.objectContaining({ OutputName }),
      })),
    );
    expect(Object.keys(standby.findOutputs('*'))).toEqual(
      expect.arrayContaining(['WellKnownHost', 'RedirectHost']),
    );
  });

  test("the main stack grants them the queue of late clicks and the secret's replica, and nothing of its table", () => {
    const policies = Object.entries(main.findResources('AWS::IAM::Policy')).filter(([, { Properties }]) =>
      JSON.stringify(Properties.Roles).includes('-standby'),
    );
    const granted = policies.flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
    expect(granted.map(({ Action }) => Action).sort()).toEqual([
      'secretsmanager:GetSecretValue',
      'secretsmanager:GetSecretValue',
      'sqs:SendMessage',
    ]);
    expect(JSON.stringify(granted)).not.toMatch(/DataTable|"\*"/);
  });

  test('the copier reads copied items at home, and writes no others', () => {
    const copier = Object.keys(main.findResources('AWS::Lambda::Function')).find((id) =>
      /CopyItems/.test(id),
    );
    const kinds = ['ASSOCIATIONS', 'DENIED', 'DOMAIN#*', 'LINK#*', 'PROJECT#*', 'SUSPENDED'];
    const { statements } = grantsOf(main, copier ?? '');
    const granted = statements.map(({ Action, Condition }) => [
      [Action].flat().join(),
      Condition['ForAllValues:StringLike']['dynamodb:LeadingKeys'].join(),
    ]);
    expect(granted.sort()).toEqual([
      ['dynamodb:DeleteItem,dynamodb:PutItem', kinds.join()],
      ['dynamodb:GetItem', [...kinds, 'HOME'].sort().join()],
      ['dynamodb:UpdateItem', 'HOME'],
    ]);
  });

  test('keys of one item are copied in order, at a high rate, and none is given up', () => {
    main.hasResourceProperties('AWS::SQS::Queue', {
      FifoQueue: true,
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
    });
    for (const queue of [
      ...Object.values(main.findResources('AWS::SQS::Queue', { Properties: { FifoQueue: true } })),
      ...Object.values(standby.findResources('AWS::SQS::Queue')),
    ])
      expect(queue.Properties).toMatchObject({
        MessageRetentionPeriod: 14 * 86_400,
        VisibilityTimeout: expect.any(Number),
      });
    expect(JSON.stringify(standby.findResources('AWS::SQS::Queue'))).not.toContain('"RedrivePolicy"');
    main.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      BatchSize: 10,
      ScalingConfig: { MaximumConcurrency: 10 },
    });
  });

  test("the visitor secret's replica is in its region, and keeps the secret's value", () => {
    const secretOf = (template: typeof off) =>
      Object.entries(template.findResources('AWS::SecretsManager::Secret')).find(([id]) =>
        /VisitorSecret/.test(id),
      )?.[1].Properties;
    expect(secretOf(main)).toEqual({ ...secretOf(off), ReplicaRegions: [{ Region: 'eu-central-1' }] });
  });
});

test('without the setting, no template has anything of a second region', () => {
  expect(JSON.stringify(off.toJSON())).not.toMatch(/standby|Copying|CopyKeys|ReplicaRegions|"HOME"/i);
});
