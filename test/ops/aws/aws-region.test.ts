import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { awsRegion, stageOf } from '../../../ops/aws/aws-region.ts';
import { newFolder } from '../../support/folder.ts';

const folder = newFolder();

const cdkFile = (context?: object) => {
  const file = path.join(folder, 'cdk.json');
  writeFileSync(file, JSON.stringify({ app: 'node bin/app.ts', ...(context && { context }) }));
  return file;
};
const both = { AWS_REGION: 'eu-north-1', AWS_DEFAULT_REGION: 'eu-south-1' };

test.each([
  ['--region wins', 'sa-east-1', both, { region: 'eu-west-1' }, 'sa-east-1'],
  ['then the region of cdk.json', undefined, both, { region: 'eu-west-1' }, 'eu-west-1'],
  ['then AWS_REGION', undefined, both, {}, 'eu-north-1'],
  ['then AWS_DEFAULT_REGION', undefined, { AWS_DEFAULT_REGION: 'eu-south-1' }, undefined, 'eu-south-1'],
  [
    'an empty variable is ignored',
    undefined,
    { AWS_REGION: '', AWS_DEFAULT_REGION: 'eu-south-1' },
    {},
    'eu-south-1',
  ],
  ['without any, the SDK reads the profile', undefined, {}, {}, undefined],
])('%s', (_, given, environment, context, region) => {
  expect(awsRegion({ given, environment, cdkFile: cdkFile(context) })).toBe(region);
});

test("the stage's file comes after cdk.json and before the environment", () => {
  writeFileSync(path.join(folder, 'prod.json'), '{"region": "eu-west-3"}');
  const asked = { stage: 'prod', environment: both, stageFiles: folder };
  expect(awsRegion({ ...asked, cdkFile: cdkFile() })).toBe('eu-west-3');
  expect(awsRegion({ ...asked, cdkFile: cdkFile({ region: 'eu-west-1' }) })).toBe('eu-west-1');
  expect(awsRegion({ ...asked, stage: 'dev', cdkFile: cdkFile() })).toBe('eu-north-1');
});

test.each([
  ['DynamicLinks-prod', 'prod'],
  ['DynamicLinks-dev', 'dev'],
  ['Another', undefined],
])('the stage of %s is %s', (stack, stage) => {
  expect(stageOf(stack)).toBe(stage);
});

test("this repository's cdk.json has no region", () => {
  expect(awsRegion({ environment: {} })).toBeUndefined();
});
