import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { engineClient } from '../engine/engine-client.ts';
import { type LocalStack, startStack } from '../stack.ts';
import { newFolder } from './folder.ts';
import { until } from './until.ts';

const bundle = `
const call = async (variable, target, input) => {
  const response = await fetch(process.env[variable], {
    method: 'POST',
    headers: {
      'x-amz-target': target,
      authorization: 'AWS4-HMAC-SHA256 Credential=' + process.env.AWS_ACCESS_KEY_ID + '/2030/any/any/aws4_request',
    },
    body: JSON.stringify(input),
  });
  return { status: response.status, ...(await response.json()) };
};
const tables = (operation, input) => call('AWS_ENDPOINT_URL_DYNAMODB', 'DynamoDB_20120810.' + operation, input);
export const beat = async (event) => {
  const Item = { id: { S: 'beat' }, source: { S: event.source }, region: { S: process.env.AWS_REGION } };
  return Promise.all(['Near', 'Far'].map((TableName) => tables('PutItem', { TableName, Item })));
};
export const read = ({ SecretId }) =>
  call('AWS_ENDPOINT_URL_SECRETS_MANAGER', 'secretsmanager.GetSecretValue', { SecretId });
`;

const regionOfFar = 'eu-west-1';
const data = newFolder();
let stack: LocalStack;
let ids: Readonly<Record<'beat' | 'read', string>>;

beforeAll(async () => {
  const folder = newFolder();
  const code = join(folder, 'code');
  mkdirSync(code);
  writeFileSync(join(code, 'index.mjs'), bundle);
  const app = new App({ outdir: join(folder, 'cdk.out') });
  const [near, far] = [
    new Stack(app, 'NearStack'),
    new Stack(app, 'FarStack', { env: { region: regionOfFar } }),
  ];
  const aTable = (scope: Stack, tableName: string) =>
    new dynamodb.CfnTable(scope, `${tableName}Table`, {
      tableName,
      keySchema: [{ attributeName: 'id', keyType: 'HASH' }],
      attributeDefinitions: [{ attributeName: 'id', attributeType: 'S' }],
      billingMode: 'PAY_PER_REQUEST',
      ...(scope === near && { streamSpecification: { streamViewType: 'NEW_IMAGE' } }),
    }).applyRemovalPolicy(RemovalPolicy.DESTROY);
  aTable(near, 'Near');
  aTable(far, 'Far');
  const aFunction = (scope: Stack, name: string, actions: string[], resources: string[]) => {
    const made = new lambda.Function(scope, name, {
      runtime: lambda.Runtime.NODEJS_24_X,
      handler: `index.${name}`,
      code: lambda.Code.fromAsset(code),
      timeout: Duration.seconds(20),
    });
    made.addToRolePolicy(new iam.PolicyStatement({ actions, resources }));
    return made;
  };
  const arnOf = (region: string, name: string) => `arn:aws:dynamodb:${region}:000000000000:table/${name}`;
  const beat = aFunction(
    near,
    'beat',
    ['dynamodb:PutItem'],
    [arnOf('us-east-1', 'Near'), arnOf(regionOfFar, 'Far')],
  );
  new events.Rule(near, 'Rule', {
    schedule: events.Schedule.rate(Duration.minutes(1)),
    targets: [new targets.LambdaFunction(beat)],
  });
  new secretsmanager.CfnSecret(near, 'Secret', {
    name: 'shared',
    secretString: 'its value',
    replicaRegions: [{ region: regionOfFar }],
  });
  const replica = `arn:aws:secretsmanager:${regionOfFar}:000000000000:secret:shared-local0`;
  const read = aFunction(far, 'read', ['secretsmanager:GetSecretValue'], [replica]);
  const idOf = (made: lambda.Function) =>
    Stack.of(made).getLogicalId(made.node.defaultChild as lambda.CfnFunction);
  ids = { beat: idOf(beat), read: idOf(read) };
  app.synth();
  stack = await startStack({
    assembly: join(folder, 'cdk.out'),
    data,
    apiPort: 0,
    distributionPort: 0,
    log: () => undefined,
  });
});
afterAll(() => stack.stop());

test("a rule's target runs at the start, and reaches the tables of both regions, each in its own engine", async () => {
  const client = engineClient(stack.endpoint);
  const items = async (TableName: string) =>
    (await client.call<{ Items: object[] }>('Scan', { TableName })).Items;
  const item = { id: { S: 'beat' }, source: { S: 'aws.events' }, region: { S: 'us-east-1' } };
  await until(async () => (await items('Far')).length > 0);
  expect([await items('Near'), await items('Far')]).toEqual([[item], [item]]);
  const batch = { RequestItems: { Far: { Keys: [{ id: { S: 'beat' } }] } } };
  expect(await client.call('BatchGetItem', batch)).toMatchObject({ Responses: { Far: [item] } });
  const Put = { TableName: 'Far', Item: { id: { S: 'by a transaction' } } };
  await client.call('TransactWriteItems', { TransactItems: [{ Put }] });
  expect(await items('Far')).toHaveLength(2);
  client.close();
  expect(readdirSync(data)).toEqual(expect.arrayContaining(['dynamodb', `dynamodb-${regionOfFar}`]));
});

test("a secret's replica has its value, for roles that may read it", async () => {
  const read = async (region: string) => {
    const SecretId = `arn:aws:secretsmanager:${region}:000000000000:secret:shared-local0`;
    const result = await stack.invoke(ids.read, { SecretId });
    return result.ok && result.payload;
  };
  expect(await read(regionOfFar)).toMatchObject({ status: 200, SecretString: 'its value' });
  expect(await read('us-east-1')).toMatchObject({
    status: 400,
    message: expect.stringContaining('not authorized'),
  });
});
