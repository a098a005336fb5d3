import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { findStandby } from '../../../ops/deployment/standby-access.ts';
import { awsError, describedStack, eachAwsDouble } from '../../support/aws-double.ts';
import { newFolder } from '../../support/folder.ts';

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

test("while the first region is away, the stage's file has the second one", async () => {
  const folder = newFolder();
  writeFileSync(path.join(folder, 'prod.json'), '{"region": "eu-west-1", "standby": "eu-central-1"}');
  stacks({ 'eu-central-1': { 'DynamicLinks-prod-standby': outputs } });
  const found = await findStandby({ data: '.local', stack: 'DynamicLinks-prod' }, folder);
  expect(found).toMatchObject({ region: 'eu-central-1', tableName: 'copy' });
  expect(aws.calls.map(({ region }) => region)).toEqual(['eu-west-1', 'eu-central-1']);
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
