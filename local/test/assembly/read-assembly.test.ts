import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAssembly } from '../../assembly/read-assembly.ts';
import { keepSecrets } from '../../assembly/secrets.ts';
import { newFolder } from '../folder.ts';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

const aFunction = (environment: object = {}, more: object = {}) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    Runtime: 'nodejs24.x',
    Handler: 'index.handler',
    Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
    Code: { S3Bucket: 'assets', S3Key: 'hash.zip' },
    Environment: { Variables: environment },
    ...more,
  },
});
const role = { Type: 'AWS::IAM::Role', Properties: {} };

function read(resources: object, more: object = {}, secretsFile?: string) {
  const file = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content));
  file('manifest.json', {
    artifacts: {
      Stack: { type: 'aws:cloudformation:stack', properties: { templateFile: 'Stack.template.json' } },
      'Stack.assets': { type: 'cdk:asset-manifest', properties: { file: 'Stack.assets.json' } },
      Tree: { type: 'cdk:tree' },
    },
  });
  file('Stack.template.json', { Resources: { Role: role, ...resources }, ...more });
  file('Stack.assets.json', {
    files: { hash: { source: { path: 'asset.hash' }, destinations: { all: { objectKey: 'hash.zip' } } } },
  });
  return readAssembly(folder, {
    authorities: { Api: '127.0.0.1:8787', Site: '127.0.0.1:8788' },
    secrets: keepSecrets(secretsFile),
  });
}

/** A variable as Fn::Sub writes it. */
const variable = (name: string) => `\${${name}}`;

/** The value of an environment variable after resolution. */
const resolved = (value: unknown, resources: object = {}, more: object = {}) =>
  read({ Function: aFunction({ VALUE: value }), ...resources }, more).functions[0]?.environment.VALUE;

test.each([
  [{ Ref: 'AWS::Region' }, 'us-east-1'],
  [{ Ref: 'AWS::AccountId' }, '000000000000'],
  [{ 'Fn::Join': ['', ['a.', { Ref: 'AWS::URLSuffix' }]] }, 'a.amazonaws.com'],
  [
    { 'Fn::Sub': `x-${variable('AWS::Partition')}-${variable('Table.Arn')}-${variable('!Literal')}` },
    `x-aws-arn:aws:dynamodb:us-east-1:000000000000:table/Table-${variable('Literal')}`,
  ],
  [
    { 'Fn::Sub': [`${variable('A')}/${variable('Table')}`, { A: { Ref: 'AWS::Region' } }] },
    'us-east-1/Table',
  ],
  [{ 'Fn::Select': [1, { 'Fn::Split': ['/', 'a/b/c'] }] }, 'b'],
  [{ 'Fn::If': ['Yes', 'y', 'n'] }, 'y'],
  [{ 'Fn::If': ['No', 'y', 'n'] }, 'n'],
  [{ Ref: 'Parameter' }, 'default'],
  [{ 'Fn::FindInMap': ['Map', 'us-east-1', 'key'] }, 'mapped'],
  [{ Ref: 'Role' }, 'Role'],
  [
    { 'Fn::GetAtt': ['Table', 'StreamArn'] },
    'arn:aws:dynamodb:us-east-1:000000000000:table/Table/stream/local',
  ],
  [{ 'Fn::GetAtt': ['Topic', 'Arn'] }, 'arn:aws:sns:us-east-1:000000000000:Topic'],
])('resolves %j', (value, expected) => {
  const resources = {
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: { StreamSpecification: { StreamViewType: 'KEYS_ONLY' } },
    },
    Topic: { Type: 'AWS::SNS::Topic' },
  };
  const more = {
    Parameters: { Parameter: { Type: 'String', Default: 'default' } },
    Mappings: { Map: { 'us-east-1': { key: 'mapped' } } },
    Conditions: {
      Yes: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'us-east-1'] },
      No: { 'Fn::And': [{ Condition: 'Yes' }, { 'Fn::Not': [{ Condition: 'Yes' }] }] },
    },
  };
  expect(resolved(value, resources, more)).toBe(expected);
});

test('leaves out AWS::NoValue and resources with a false condition', () => {
  const { functions, tables } = read(
    {
      Function: aFunction({ KEPT: 'x', GONE: { Ref: 'AWS::NoValue' } }),
      Table: { Type: 'AWS::DynamoDB::Table', Condition: 'No', Properties: {} },
    },
    { Conditions: { No: { 'Fn::Equals': ['a', 'b'] } } },
  );
  expect(functions[0]?.environment).toEqual({ KEPT: 'x' });
  expect(tables).toEqual([]);
});

describe('addresses of this machine', () => {
  const resources = {
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: {} },
    Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { RestApiId: { Ref: 'Api' }, StageName: 'prod' } },
    Site: {
      Type: 'AWS::CloudFront::Distribution',
      Properties: {
        DistributionConfig: {
          DefaultCacheBehavior: {
            TargetOriginId: 'o',
            CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
          },
          Origins: [
            {
              Id: 'o',
              DomainName: {
                'Fn::Select': [2, { 'Fn::Split': ['/', { 'Fn::GetAtt': ['Url', 'FunctionUrl'] }] }],
              },
            },
          ],
        },
      },
    },
    Url: {
      Type: 'AWS::Lambda::Url',
      Properties: { TargetFunctionArn: { 'Fn::GetAtt': ['Function', 'Arn'] } },
    },
  };
  const api = (rest: string) => ({
    'Fn::Join': [
      '',
      [
        'https://',
        { Ref: 'Api' },
        '.execute-api.',
        { Ref: 'AWS::Region' },
        '.',
        { Ref: 'AWS::URLSuffix' },
        rest,
      ],
    ],
  });

  test.each([
    [api('/prod/'), 'http://127.0.0.1:8787/'],
    [api('/prod'), 'http://127.0.0.1:8787'],
    [api('/prod/a/prod'), 'http://127.0.0.1:8787/a/prod'],
    [api('/production'), 'http://127.0.0.1:8787/production'],
    [
      { 'Fn::Join': ['', ['https://', { 'Fn::GetAtt': ['Site', 'DomainName'] }, '/a']] },
      'http://127.0.0.1:8788/a',
    ],
    ['https://go.example.com', 'https://go.example.com'],
  ])('%#', (value, expected) => {
    expect(resolved(value, resources)).toBe(expected);
    const { outputs } = read({ Function: aFunction(), ...resources }, { Outputs: { Out: { Value: value } } });
    expect(outputs).toEqual({ Out: expected });
  });
});

describe('a secret', () => {
  const secret = (rule: object) => ({
    Secret: { Type: 'AWS::SecretsManager::Secret', Properties: { GenerateSecretString: rule } },
  });
  const reference = (key: string) => ({
    'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: 'Secret' }, `:SecretString:${key}::}}`]],
  });

  test('is generated by its rule', () => {
    const value = resolved(reference(''), secret({ PasswordLength: 40, ExcludePunctuation: true }));
    expect(value).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(resolved(reference(''), secret({ PasswordLength: 40, ExcludePunctuation: true }))).not.toBe(value);
  });

  test('can be a member of a JSON string', () => {
    const rule = { SecretStringTemplate: '{"user":"u"}', GenerateStringKey: 'password' };
    expect(resolved(reference('user'), secret(rule))).toBe('u');
    expect(resolved(reference('password'), secret(rule))).toHaveLength(32);
  });

  test('is the same after a restart', () => {
    const file = join(folder, 'kept', 'secrets.json');
    const readOnce = () =>
      read({ Function: aFunction({ VALUE: reference('') }), ...secret({}) }, {}, file).functions[0]
        ?.environment;
    expect(readOnce()).toEqual(readOnce());
  });

  test('is not replaced if its file is damaged', () => {
    const file = join(folder, 'secrets.json');
    writeFileSync(file, '{');
    expect(() => keepSecrets(file)).toThrow(`${file} is damaged`);
  });
});

test('a function has only the statements of its role', () => {
  const policy = (name: string, action: string) => ({
    Type: 'AWS::IAM::Policy',
    Properties: {
      Roles: [{ Ref: name }],
      PolicyDocument: { Statement: [{ Effect: 'Allow', Action: action, Resource: '*' }] },
    },
  });
  const inline = { PolicyDocument: { Statement: { Effect: 'Deny', Action: 'inline', Resource: '*' } } };
  const { functions } = read({
    Function: aFunction(),
    Role: { ...role, Properties: { Policies: [inline] } },
    Other: role,
    Mine: policy('Role', 'mine'),
    Theirs: policy('Other', 'theirs'),
  });
  expect(functions[0]?.statements.map(({ Action }) => Action)).toEqual(['inline', 'mine']);
});

describe('an error about a missing part names its logical id', () => {
  const mapping = {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: { FunctionName: { Ref: 'Function' } },
  };
  test.each([
    ['an asset', { Function: aFunction({}, { Code: { S3Key: 'other.zip' } }) }, /^Function: .*other\.zip/],
    ['a resource', { Function: aFunction({ A: { Ref: 'Absent' } }) }, /Function.*Absent/],
    ['a text', { Function: aFunction({ A: ['list'] }) }, /^Function.* a map of texts/],
    ['an event source', { Function: aFunction(), Mapping: mapping }, /^Mapping: /],
    [
      'a way out of a cycle',
      { Function: aFunction({ A: { Ref: 'Function' } }) },
      /^can't resolve Function: it refers to itself$/,
    ],
    ['a stage', { Function: aFunction(), Api: { Type: 'AWS::ApiGateway::RestApi' } }, /^Api: .*stage/],
    ['an intrinsic', { Function: aFunction({ A: { 'Fn::Cidr': ['x', 1, 1] } }) }, /Function.*Fn::Cidr/],
  ])('%s', (_name, resources, message) => {
    expect(() => read(resources)).toThrow(message);
  });
});

test('resources without emulation are ignored', () => {
  const { functions } = read({
    Function: aFunction(),
    Alarm: { Type: 'AWS::CloudWatch::Alarm', Properties: { Threshold: { 'Fn::Unknown': [] } } },
    Python: { Type: 'AWS::Lambda::Function', Properties: { Runtime: 'python3.13' } },
  });
  expect(functions.map(({ id }) => id)).toEqual(['Function']);
});

test('references name the region of their stack', () => {
  const file = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content));
  const artifact = (region: string) => ({
    type: 'aws:cloudformation:stack',
    environment: `aws://unknown-account/${region}`,
    properties: { templateFile: `${region}.json` },
  });
  const artifacts = { Near: artifact('unknown-region'), Far: artifact('eu-west-1') };
  file('manifest.json', {
    artifacts: { ...artifacts, Assets: { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } } },
  });
  file('assets.json', {
    files: { hash: { source: { path: 'asset' }, destinations: { all: { objectKey: 'hash.zip' } } } },
  });
  const queueUrl = { 'Fn::GetStackOutput': { StackName: 'Far', OutputName: 'FarQueueUrl' } };
  file('unknown-region.json', {
    Resources: { Role: role, Near: aFunction({ QUEUE: queueUrl, REGION: { Ref: 'AWS::Region' } }) },
  });
  file('eu-west-1.json', {
    Resources: {
      Role: role,
      Far: aFunction({ REGION: { Ref: 'AWS::Region' }, TABLE: { 'Fn::GetAtt': ['Table', 'Arn'] } }),
      Table: { Type: 'AWS::DynamoDB::Table', Properties: {} },
      FarQueue: {
        Type: 'AWS::SQS::Queue',
        Properties: { FifoQueue: true, DeduplicationScope: 'messageGroup' },
      },
    },
    Outputs: { FarQueueUrl: { Value: { Ref: 'FarQueue' } } },
  });
  const { functions, queues } = readAssembly(folder, { authorities: {}, secrets: keepSecrets(undefined) });
  const url = 'https://sqs.eu-west-1.amazonaws.com/000000000000/FarQueue.fifo';
  expect(functions).toMatchObject([
    { id: 'Near', region: 'us-east-1', environment: { QUEUE: url, REGION: 'us-east-1' } },
    {
      id: 'Far',
      region: 'eu-west-1',
      environment: { REGION: 'eu-west-1', TABLE: 'arn:aws:dynamodb:eu-west-1:000000000000:table/Table' },
    },
  ]);
  expect(queues).toMatchObject([{ url, fifo: { isContentBased: false, isPerGroup: true } }]);
});

test('stacks may use one logical id differently for resources that nothing here reads', () => {
  const file = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content));
  const readBoth = (Type: string) => {
    const artifacts = ['One', 'Other'].map((name) => {
      file(`${name}.json`, { Resources: { Shared: { Type, Properties: { DisplayName: name } } } });
      const properties = { templateFile: `${name}.json` };
      return [name, { type: 'aws:cloudformation:stack', properties }];
    });
    file('manifest.json', { artifacts: Object.fromEntries(artifacts) });
    return readAssembly(folder, { authorities: {}, secrets: keepSecrets(undefined) });
  };
  expect(readBoth('AWS::SNS::Topic').functions).toEqual([]);
  expect(() => readBoth('AWS::SQS::Queue')).toThrow('two stacks of the assembly use the logical id Shared');
});
