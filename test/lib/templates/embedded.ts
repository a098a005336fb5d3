import { App, Stack, Stage, Tags } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
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
