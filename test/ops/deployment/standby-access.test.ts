import { findStandby } from '../../../ops/deployment/standby-access.ts';
import { awsError, describedStack, eachAwsDouble } from '../../support/aws-double.ts';

const aws = eachAwsDouble();
const outputs = { CopyTableName: 'copy', ClicksQueueUrl: 'https://sqs.eu-central-1.amazonaws.com/1/clicks' };

/** Stacks by region and name; undefined is a region that doesn't answer. */
const stacks = (known: Readonly<Record<string, Readonly<Record<string, object>> | undefined>>) =>
  aws.answers.set('cloudformation:DescribeStacks', ({ region, body }) => {
    const name = new URLSearchParams(body).get('StackName') ?? '';
    const found = known[region]?.[name];
    if (found) return { body: describedStack(name, found as Record<string, string>) };
    return { status: 400, body: awsError('ValidationError', `Stack with id ${name} does not exist`) };
  });
const find = (region: string) => findStandby({ data: '.local', stack: 'S', region });

test("the first region's stack names the second", async () => {
  stacks({ 'eu-west-1': { S: { StandbyRegion: 'eu-central-1' } }, 'eu-central-1': { 'S-standby': outputs } });
  const { region, tableName, clicksQueueUrl, services } = await find('eu-west-1');
  expect({ region, tableName, clicksQueueUrl }).toEqual({
    region: 'eu-central-1',
    tableName: 'copy',
    clicksQueueUrl: outputs.ClicksQueueUrl,
  });
  expect(services.client).toEqual({ region: 'eu-central-1' });
});

test('while the first region is away, --region names the second', async () => {
  stacks({ 'eu-central-1': { 'S-standby': outputs } });
  expect(await find('eu-central-1')).toMatchObject({ region: 'eu-central-1', tableName: 'copy' });
  await expect(find('eu-west-1')).rejects.toThrow(
    /^Neither S \(.*does not exist\) nor S-standby can be read: while the first region is away, name the second by --region$/,
  );
});

test('a stack without a second region is refused', async () => {
  stacks({ 'eu-west-1': { S: {} } });
  await expect(find('eu-west-1')).rejects.toMatchObject({
    exitCode: 1,
    message: 'The stack S has no second region: docs/standby.md describes how to add one',
  });
});

test('a missing stack in the second region is named', async () => {
  stacks({ 'eu-west-1': { S: { StandbyRegion: 'eu-central-1' } } });
  await expect(find('eu-west-1')).rejects.toThrow("The stack S-standby can't be read in eu-central-1");
});
