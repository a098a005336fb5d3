import { App, CfnOutput, RemovalPolicy, Stack, Stage } from 'aws-cdk-lib';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';
import { DynamicLinkStack, type StageSettings } from 'dynamic-link-cdk';

/* An app of `cdk init app --language typescript` with the service, in the ways that teams add it. */

const app = new App();
const env = { account: '123456789012', region: 'eu-central-1' };
const settings: StageSettings = {
  stage: 'prod',
  alarmEmail: 'ops@example.com',
  signIn: 'https://id.example.com',
  signInClient: 'links',
  signInSecret: 'links-sign-in',
  consoleName: 'Acme',
  rateLimitPerHour: 5000,
  abuseContact: 'mailto:abuse@example.com',
};

const ways: Readonly<Record<string, () => void>> = {
  alone: () => void new DynamicLinkStack(app, 'DynamicLinks-prod', { env, settings }),
  earlier: () => void new DynamicLinkStack(app, 'DynamicLinks-prod', settings, { env }),
  twice: () => {
    new DynamicLinkStack(app, 'One', { env, stackName: 'one-links', settings: { stage: 'dev' } });
    new DynamicLinkStack(app, 'Two', { env, stackName: 'two-links', settings: { stage: 'dev' } });
  },
  staged: () => {
    const stage = new Stage(app, 'Pipeline', { env: { ...env, account: '210987654321' } });
    new DynamicLinkStack(stage, 'Links', { settings: { stage: 'prod' } });
  },
  own: () => {
    const own = new Stack(app, 'Own', { env });
    const links = new DynamicLinkStack(app, 'Links', {
      env,
      stackName: 'acme-links',
      settings: { stage: 'dev' },
      alarmTopic: new sns.Topic(own, 'Topic'),
      encryptionKey: new kms.Key(own, 'Key'),
      removalPolicy: RemovalPolicy.DESTROY,
      alarms: { ApiErrors: { actions: 'none' } },
    });
    links.functions.redirect.addEnvironment('TEAM', 'growth');
    links.functions['sign-in']?.addEnvironment('TEAM', 'growth');
    new CfnOutput(links, 'ApiId', { value: links.restApi.restApiId });
    new CfnOutput(links, 'HostName', { value: links.distribution.distributionDomainName });
    new CfnOutput(links, 'AlarmsName', { value: links.alarmTopic.topicArn });
    new CfnOutput(links, 'LinksTable', { value: links.table.tableName });
  },
};

ways[app.node.getContext('way')]?.();
