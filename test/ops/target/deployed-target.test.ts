import { deployedTarget } from '../../../ops/target/target.ts';
import {
  type AwsDouble,
  awsError,
  describedStack,
  doubleEnvironment,
  startAwsDouble,
} from '../../support/aws-double.ts';

const outputs = {
  TableName: 'links',
  ApiBaseUrl: 'https://abc.execute-api.eu-west-1.amazonaws.com/dev',
  ShortBaseUrl: 'https://d111.cloudfront.net',
};
const before = { ...process.env };
let aws: AwsDouble;

beforeEach(async () => {
  aws = await startAwsDouble();
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, doubleEnvironment(aws));
  aws.answers.set('cloudformation:DescribeStacks', () => ({ body: describedStack('S', outputs) }));
});
afterEach(async () => {
  process.env = { ...before };
  await aws.stop();
});

const regionsAsked = () => aws.calls.map(({ region }) => region);

test('the stack is read in the region of --region', async () => {
  process.env.AWS_REGION = 'eu-north-1';
  const { apiBase, shortBase, tableName, access } = await deployedTarget('S', 'eu-west-1');
  expect({ apiBase, shortBase, tableName }).toEqual({
    apiBase: outputs.ApiBaseUrl,
    shortBase: outputs.ShortBaseUrl,
    tableName: outputs.TableName,
  });
  expect(access).toEqual({ region: 'eu-west-1' });
  expect(regionsAsked()).toEqual(['eu-west-1']);
});

test('how long figures are kept is known where the deployment limits it', async () => {
  const kept = async () => (await deployedTarget('S', 'eu-west-1')).figuresRetentionDays;
  expect(await kept()).toBeUndefined();
  aws.answers.set('cloudformation:DescribeStacks', () => ({
    body: describedStack('S', { ...outputs, FiguresRetentionDays: '400' }),
  }));
  expect(await kept()).toBe(400);
});

test('AWS_DEFAULT_REGION alone is enough', async () => {
  process.env.AWS_DEFAULT_REGION = 'eu-south-1';
  await deployedTarget('S');
  expect(regionsAsked()).toEqual(['eu-south-1']);
});

test('without any region the message names the flag', async () => {
  await expect(deployedTarget('S')).rejects.toThrow(
    /^No region is set: give --region NAME or set AWS_REGION$/,
  );
});

test('a missing stack gives a message with its region', async () => {
  aws.answers.set('cloudformation:DescribeStacks', () => ({
    status: 400,
    body: awsError('ValidationError', 'Stack with id S does not exist'),
  }));
  await expect(deployedTarget('S', 'eu-west-1')).rejects.toThrow(
    "The stack S can't be read in eu-west-1: Stack with id S does not exist (--region NAME looks in another one)",
  );
});
