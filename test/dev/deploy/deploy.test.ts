import { contextOf, deployArguments, dropsOf, stepBefore } from '../../../dev/deploy/checks.ts';
import { deploy } from '../../../dev/deploy/deploy.ts';
import { dropsBetween, standingOf } from '../../../dev/deploy/drops.ts';
import { synthesizedStacks } from '../../../ops/base/synthesized-stacks.ts';
import { answerProjects, describedStack, eachAwsDouble } from '../../support/aws-double.ts';

const aws = eachAwsDouble();

const stackIs = (...stack: [outputs: Record<string, string>, status?: string]) =>
  void aws.answers.set('cloudformation:DescribeStacks', () => ({
    body: describedStack('DynamicLinks-prod', ...stack),
  }));

const outputs = {
  ShortBaseUrl: 'https://go.example.com',
  ApiBaseUrl: 'https://api.example.com',
  ShortHosts: 'go.example.com,qr.example.com',
  AlarmEmail: 'ops@example.com',
  AdoptedTable: 'links-restored',
};

const choices = [
  '-c shortDomain=go.example.com -c shortHostedZoneId=Z123 --context=shortAliases=qr.example.com',
  '-c apiDomain=api.example.com -c apiHostedZoneId=Z123 --context alarmEmail=ops@example.com -c tableName=links-restored',
  '-c tableStreamArn=arn:aws:dynamodb:eu-west-1:123456789012:table/links-restored/stream/2026-11-21T00:00:00.000',
].flatMap((words) => words.split(' '));

const drops = (args: readonly string[]) => dropsOf(deployArguments(args));

test('context is read in every form that the CDK accepts', () => {
  expect(
    contextOf(['--all', '-c', 'a=1', '--context', 'b=2=3', '--context=c=4', '-c=d=5', '--require-approval']),
  ).toEqual({ a: '1', b: '2=3', c: '4', d: '5' });
});

describe('a deployment over one with domains and an email address', () => {
  beforeEach(() => stackIs(outputs));

  test('continues with the same settings', async () => {
    expect(await drops(['--all', '-c', 'stage=prod', ...choices])).toEqual([]);
  });

  test('stops if it would drop settings, and names them', async () => {
    expect(await drops(['--all', '-c', 'stage=prod'])).toEqual([
      'shortDomain go.example.com',
      'apiDomain api.example.com',
      'alarmEmail ops@example.com',
      'tableName links-restored',
      'shortAliases qr.example.com',
    ]);
    expect(await drops(['-c', 'stage=prod', ...choices, '-c', 'shortAliases='])).toEqual([
      'shortAliases qr.example.com',
    ]);
  });

  test('stops if it would drop an existing resource, and names it', async () => {
    const arns = {
      alarmTopicArn: 'arn:aws:sns:eu-west-1:123456789012:alarms',
      edgeAlarmTopicArn: 'arn:aws:sns:us-east-1:123456789012:alarms',
      encryptionKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd',
      webAclArn: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/edge/1a',
      apiWebAclArn: 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/api/2b',
    };
    const given = Object.entries(arns).map(([key, arn]) => `${key}=${arn}`);
    const settings = { stage: 'prod', region: 'eu-west-1', alarmEmail: 'ops@example.com', ...arns };
    const { outputs: ofStack } = synthesizedStacks({
      settings,
      read: (stacks) => ({ outputs: stacks.find(({ id }) => id === 'DynamicLinks-prod')?.template.Outputs }),
    });
    const literal = Object.entries<{ Value: unknown }>(ofStack).flatMap(([name, { Value }]) =>
      typeof Value === 'string' ? [[name, Value]] : [],
    );
    stackIs(Object.fromEntries(literal));
    const kept = ['stage=prod', 'region=eu-west-1', 'alarmEmail=ops@example.com'].flatMap((one) => [
      '-c',
      one,
    ]);
    expect(await drops([...kept, ...given.flatMap((one) => ['-c', one])])).toEqual([]);
    expect(await drops(kept)).toEqual(given.map((one) => one.replace('=', ' ')));
  });

  test('continues if the operator allows it', async () => {
    expect(await drops(['-c', 'stage=prod', '-c', 'allowDrop=true'])).toEqual([]);
  });

  test('stops in prod if the first deployment failed, and explains how to delete the rest', async () => {
    stackIs({}, 'ROLLBACK_COMPLETE');
    await expect(
      drops(['-c', 'stage=prod', '-c', 'region=eu-west-1', '-c', 'allowDrop=true']),
    ).rejects.toThrow(
      /^The first deployment of DynamicLinks-prod failed.*--no-enable-termination-protection.*delete-stack --stack-name DynamicLinks-prod --region eu-west-1$/s,
    );
    // The CDK deletes dev's stack automatically.
    expect(await drops(['-c', 'stage=dev'])).toEqual([]);
  });

  test('looks at the stack of its stage, in its region', async () => {
    aws.calls.length = 0;
    await drops(['-c', 'stage=prod', '-c', 'region=eu-west-1']);
    expect(aws.calls).toMatchObject([
      { region: 'eu-west-1', body: expect.stringContaining('DynamicLinks-prod') },
    ]);
  });
});

test("the second region's stack is deployed before the first one's", () => {
  const settings = { stage: 'prod', region: 'eu-west-1', standby: 'eu-central-1' };
  const before = synthesizedStacks({
    settings,
    read: (stacks) => stacks.find(({ id }) => id === 'DynamicLinks-prod')?.dependencies.map(({ id }) => id),
  });
  expect(before).toContain('DynamicLinks-prod-standby');
});

describe('a deployment over one with a second region', () => {
  const standby = {
    CopyTableName: 'copy',
    ClicksQueueUrl: 'https://sqs.eu-central-1.amazonaws.com/1/clicks',
  };
  const asked = ['-c', 'stage=prod', '-c', 'region=eu-west-1'];
  const refusal = "standby eu-central-1 (first 'standby stop', and 'standby show' without waiting clicks)";
  const secondIs = (isStopped: boolean, clicks: number) => {
    aws.answers.set('dynamodb:GetItem', () => ({
      body: { Item: isStopped ? { stopped: { BOOL: true } } : {} },
    }));
    const Attributes = {
      ApproximateNumberOfMessages: `${clicks}`,
      ApproximateNumberOfMessagesNotVisible: '0',
    };
    aws.answers.set('sqs:GetQueueAttributes', () => ({ body: { Attributes } }));
  };
  beforeEach(() =>
    aws.answers.set('cloudformation:DescribeStacks', ({ body, region }) => {
      const isSecond = body.includes('-standby') && region === 'eu-central-1';
      return { body: describedStack('S', isSecond ? standby : { StandbyRegion: 'eu-central-1' }) };
    }),
  );

  test('continues with the same one', async () => {
    expect(await drops([...asked, '-c', 'standby=eu-central-1'])).toEqual([]);
  });

  test.each([
    [false, 0, [refusal]],
    [true, 3, [refusal]],
    [true, 0, []],
  ])('stopped %s, with %d waiting clicks, removing it stops for %j', async (isStopped, clicks, stops) => {
    secondIs(isStopped, clicks);
    expect(await drops(asked)).toEqual(stops);
    expect(await drops([...asked, '-c', 'standby=eu-north-1'])).toEqual(stops);
  });

  test("stops if the second region can't be read, and continues if the operator allows it", async () => {
    secondIs(true, 0);
    aws.answers.delete('sqs:GetQueueAttributes');
    expect(await drops(asked)).toEqual([refusal]);
    expect(await drops([...asked, '-c', 'allowDrop=true'])).toEqual([]);
  });
});

test('a first deployment drops nothing', async () => {
  aws.answers.delete('cloudformation:DescribeStacks');
  expect(await drops(['-c', 'stage=prod'])).toEqual([]);
});

test("AWS's own addresses are not custom domains", () => {
  const standing = standingOf({
    ShortBaseUrl: 'https://d111111abcdef8.cloudfront.net',
    ApiBaseUrl: 'https://abc.execute-api.eu-west-1.amazonaws.com/dev',
  });
  expect(standing).toEqual({ shortAliases: [] });
});

test('a host that swaps places is not dropped', () => {
  const now = { shortDomain: 'go.example.com', shortAliases: ['qr.example.com'] };
  const next = { shortDomain: 'qr.example.com', shortAliases: ['go.example.com'] };
  expect(dropsBetween(now, next)).toEqual([]);
});

test('a deployment over analytics of 1.0.0 explains the first step', async () => {
  const args = deployArguments(['-c', 'stage=prod', '-c', 'region=eu-west-1']);
  stackIs({ TableName: 'table-name' });
  answerProjects(aws, { isSettled: false });
  expect(await stepBefore(args)).toContain('deploy 1.2 first');
  answerProjects(aws, { isSettled: true });
  expect(await stepBefore(args)).toBeUndefined();
  // Deploys need no right to the table.
  for (const operation of ['Query', 'BatchGetItem']) aws.answers.delete(`dynamodb:${operation}`);
  expect(await stepBefore(args)).toBeUndefined();
  aws.answers.delete('cloudformation:DescribeStacks');
  expect(await stepBefore(args)).toBeUndefined();
});

test('invalid settings fail before any call', () => {
  expect(() => deployArguments(['-c', 'stage=Test'])).toThrow(/^stage must be a name/);
});

test('without valid credentials it ends before it prints or does anything', async () => {
  aws.calls.length = 0;
  const said: string[] = [];
  const deployment = deploy(['-c', 'stage=dev', '-c', 'region=eu-west-1'], (text) => said.push(text));
  await expect(deployment).rejects.toThrow(/^Sign in first/);
  expect([said, aws.calls.map(({ operation }) => operation)]).toEqual([[], ['GetCallerIdentity']]);
});
