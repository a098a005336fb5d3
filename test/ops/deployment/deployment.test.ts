import {
  type DeploymentAccess,
  openDeployment,
  stackDeployment,
} from '../../../ops/deployment/deployment.ts';
import { localServices } from '../../../ops/deployment/service-access.ts';
import { awsError, describedStack, eachAwsDouble } from '../../support/aws-double.ts';

const outputs = {
  TableName: 'links',
  ApiBaseUrl: 'https://abc.execute-api.eu-west-1.amazonaws.com/dev',
  ShortBaseUrl: 'https://d111.cloudfront.net',
};
const aws = eachAwsDouble();
beforeEach(() => {
  aws.answers.set('cloudformation:DescribeStacks', () => ({ body: describedStack('S', outputs) }));
});

const regionsAsked = () => aws.calls.map(({ region }) => region);

test('the stack is read in the region of --region', async () => {
  process.env.AWS_REGION = 'eu-north-1';
  const { apiBase, shortBase, tableName, access } = await stackDeployment('S', 'eu-west-1');
  expect({ apiBase, shortBase, tableName }).toEqual({
    apiBase: outputs.ApiBaseUrl,
    shortBase: outputs.ShortBaseUrl,
    tableName: outputs.TableName,
  });
  expect(access).toEqual({ region: 'eu-west-1' });
  expect(regionsAsked()).toEqual(['eu-west-1']);
});

test('AWS_DEFAULT_REGION is enough', async () => {
  process.env.AWS_DEFAULT_REGION = 'eu-south-1';
  await stackDeployment('S');
  expect(regionsAsked()).toEqual(['eu-south-1']);
});

test('without any region the message names the flag', async () => {
  await expect(stackDeployment('S')).rejects.toThrow(
    /^No region is set: give --region NAME or set AWS_REGION$/,
  );
});

test('a missing stack gives a message with its region', async () => {
  aws.answers.set('cloudformation:DescribeStacks', () => ({
    status: 400,
    body: awsError('ValidationError', 'Stack with id S does not exist'),
  }));
  await expect(stackDeployment('S', 'eu-west-1')).rejects.toThrow(
    "The stack S can't be read in eu-west-1: Stack with id S does not exist (--region NAME looks in another one)",
  );
});

test('the same outputs give the same deployment, on AWS and on a local stack', () => {
  const all = {
    ...outputs,
    TakedownTable: 'takedowns',
    FiguresRetentionDays: '400',
    ConsoleName: 'M%C3%BCller',
    LinksPerProject: '1000',
    ClickQueueName: 'clicks',
    WebhookQueueUrl: 'https://sqs.eu-west-1.amazonaws.com/1/webhooks',
    WebhookSecretArn: 'arn:aws:secretsmanager:eu-west-1:1:secret:webhooks',
    EventBuses: 'one,two',
    ShortHosts: 'go.example.com,links.example.com',
    ShortDomainTarget: 'd2.cloudfront.net',
    OwnHostsDistributionId: 'E1',
    OwnHostsConnectionGroupId: 'cg_1',
    OwnHostsTarget: 'd1.cloudfront.net',
  };
  const stated = ({
    access,
    stores,
    takedowns,
    clickQueue,
    webhooks,
    hosts,
    ...plain
  }: DeploymentAccess) => ({
    ...plain,
    has: { takedowns: takedowns !== undefined, clickQueue: clickQueue?.name },
    webhooks: { queueUrl: webhooks?.queueUrl, eventBuses: webhooks?.eventBuses },
    hosts: { aliases: hosts?.aliases, areTenants: hosts?.tenants !== undefined },
  });
  const deployed = stated(openDeployment(all, { client: { region: 'eu-west-1' } }));
  const address = 'http://127.0.0.1:1';
  const services = { dynamodb: address, sqs: address, operatorKey: 'key', webhookSecret: 'secret' };
  expect(stated(openDeployment(all, localServices(services, 'data')))).toEqual(deployed);
  expect(deployed).toEqual({
    apiBase: outputs.ApiBaseUrl,
    shortBase: outputs.ShortBaseUrl,
    shortHosts: 'go.example.com,links.example.com,d2.cloudfront.net',
    tableName: 'links',
    takedownTable: 'takedowns',
    figuresRetentionDays: 400,
    linksPerProject: 1000,
    consoleName: 'Müller',
    has: { takedowns: true, clickQueue: 'clicks' },
    webhooks: { queueUrl: all.WebhookQueueUrl, eventBuses: ['one', 'two'] },
    hosts: { aliases: ['go.example.com', 'links.example.com'], areTenants: true },
  });
});

test('a stack that lacks an output of every version is none of the service', async () => {
  const { ApiBaseUrl, ...others } = outputs;
  aws.answers.set('cloudformation:DescribeStacks', () => ({ body: describedStack('S', others) }));
  await expect(stackDeployment('S', 'eu-west-1')).rejects.toThrow(
    'The stack S has no output ApiBaseUrl; is it a dynamic-link service?',
  );
});
