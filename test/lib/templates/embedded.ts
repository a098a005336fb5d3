import { App, Stack, type StackProps, Stage, Tags } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import type { Construct } from 'constructs';
import { DynamicLinkStack } from '../../../lib/stack.ts';
import { withoutTraces } from '../../support/deployment.ts';

const boundary = 'arn:aws:iam::123456789012:policy/boundary';
const env = { account: '123456789012', region: 'eu-central-1' };

/** An app that knows nothing of this one: with its own context, without this repository's flags. */
const foreignApp = () =>
  new App({
    treeMetadata: false,
    context: {
      'aws:cdk:bundling-stacks': [],
      'aws:cdk:disable-stack-trace': true,
      ...{ stage: 'somewhere', waf: 'maybe', team: 'growth' },
    },
  });

const stacksOf = (app: App): readonly CloudFormationStackArtifact[] => {
  const traces = withoutTraces();
  try {
    return app.synth().stacksRecursively;
  } finally {
    traces.restore();
  }
};

const resourcesOf = (stack: CloudFormationStackArtifact | undefined, type: string) =>
  Object.values<{ Type: string; Properties: Record<string, unknown> }>(stack?.template.Resources).filter(
    ({ Type }) => Type === type,
  );

describe("the stack in somebody's own app", () => {
  const app = foreignApp();
  const links = new DynamicLinkStack(app, 'Links', { stage: 'prod', rateLimitPerHour: 5000 }, { env });
  const other = new Stack(app, 'Other', { env });
  new ssm.StringParameter(other, 'Address', { stringValue: links.apiBaseUrl });
  Tags.of(app).add('team', 'growth');
  iam.PermissionsBoundary.of(app).apply(iam.ManagedPolicy.fromManagedPolicyArn(other, 'Boundary', boundary));
  new DynamicLinkStack(new Stage(app, 'Test', { env }), 'Links', { waf: true });
  const stacks = stacksOf(app);
  const stack = stacks.find(({ stackName }) => stackName === 'Links');

  test('has typed settings, and reads no context', () => {
    expect(JSON.stringify(stack?.template)).toContain('"RATE_LIMIT_PER_HOUR":"5000"');
    expect(resourcesOf(stack, 'AWS::WAFv2::WebACL')).toHaveLength(1);
  });

  test('puts the stacks that CloudFront needs next to itself, by its own name', () => {
    const where = stacks.map(({ stackName, environment }) => `${stackName} ${environment.region}`);
    expect(where.sort()).toEqual([
      'Links eu-central-1',
      'LinksEdge-eu-central-1 us-east-1',
      'LinksEdgeAlarms-eu-central-1 us-east-1',
      'Other eu-central-1',
      // Of another one, in a stage.
      'Test-Links eu-central-1',
      'Test-LinksEdge-eu-central-1 us-east-1',
    ]);
  });

  test("gets the app's tags, and its permissions boundary on every role", () => {
    const ownStage = stacks.filter(({ stackName }) => !stackName.startsWith('Test-'));
    const roles = ownStage.flatMap((one) => resourcesOf(one, 'AWS::IAM::Role'));
    expect(roles.length).toBeGreaterThan(20);
    expect(roles.filter(({ Properties }) => Properties.PermissionsBoundary !== boundary)).toEqual([]);
    for (const type of ['AWS::DynamoDB::Table', 'AWS::Lambda::Function', 'AWS::S3::Bucket'])
      for (const { Properties } of resourcesOf(stack, type))
        expect(Properties.Tags).toContainEqual({ Key: 'team', Value: 'growth' });
  });

  test('passes its addresses to other stacks', () => {
    const [parameter] = resourcesOf(
      stacks.find(({ stackName }) => stackName === 'Other'),
      'AWS::SSM::Parameter',
    );
    expect(JSON.stringify(parameter?.Properties.Value)).toMatch(/Links|https/);
  });
});

describe('a stack name that is given', () => {
  const named = (props: StackProps, app = foreignApp(), scope: Construct = app) => {
    new DynamicLinkStack(scope, 'Links', { stage: 'prod' }, { stackName: 'acme-links', ...props });
    return app;
  };

  test.each(['us-east-1', 'eu-central-1'])('also names the stacks beside it, from %s', (region) => {
    const stacks = stacksOf(named({ env: { ...env, region } }));
    expect(stacks.map(({ stackName, environment }) => `${stackName} ${environment.region}`).sort()).toEqual([
      `acme-links ${region}`,
      'acme-links-edge us-east-1',
      'acme-links-edge-alarms us-east-1',
    ]);
    expect(stacks.map(({ terminationProtection }) => terminationProtection)).toEqual([true, true, true]);
    const service = stacks.find(({ stackName }) => stackName === 'acme-links');
    const apis = resourcesOf(service, 'AWS::ApiGateway::RestApi').map(({ Properties }) => Properties.Name);
    expect(apis).toContain('acme-links');
    const ofApi = resourcesOf(service, 'AWS::CloudWatch::Alarm')
      .map((alarm) => JSON.stringify(alarm))
      .filter((alarm) => alarm.includes('ApiName'));
    expect(ofApi.length).toBeGreaterThan(2);
    for (const alarm of ofApi) expect(alarm).toContain('"Name":"ApiName","Value":"acme-links"');
  });

  test('is refused if another stack in its account and region has the same', () => {
    const app = named({ env });
    const others = new Stage(app, 'Other', { env });
    const same = {
      'acme-links': 'eu-central-1',
      'acme-links-edge': 'us-east-1',
      'acme-links-edge-alarms': 'us-east-1',
    };
    for (const [stackName, region] of Object.entries(same))
      new Stack(others, stackName, { stackName, env: { ...env, region } });
    for (const stackName of Object.keys(same))
      expect(() => stacksOf(app)).toThrow(`Other/${stackName} has the same name (${stackName}), account`);
  });

  test('may be that of a stack in another account', () => {
    const app = named({ env });
    named({ env: { ...env, account: '210987654321' } }, app, new Stage(app, 'Other'));
    expect(stacksOf(app)).toHaveLength(6);
  });
});
