import { readFileSync } from 'node:fs';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { deployments } from '../../../ops/deployments.ts';
import { resources, resourcesOf, stacksOf, synthesize } from '../../support/deployment.ts';

const ownDomains = deployments['prod on own domains'] ?? {};

test.each(Object.entries(deployments))('%s leaves no finding of the rule packs unanswered', (_, context) => {
  // Throws with the findings.
  expect(Object.keys(stacksOf(context))).not.toEqual([]);
});

test.each(Object.entries(deployments))('%s is the same to the byte when synthesized again', (_, context) => {
  const textsOf = (stacks: readonly CloudFormationStackArtifact[]) =>
    stacks.map(({ templateFullPath }) => readFileSync(templateFullPath, 'utf8'));
  expect(textsOf(synthesize(context))).toEqual(textsOf(Object.values(stacksOf(context))));
});

test('only what CloudFront takes from its own region makes a second stack', () => {
  const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/abc';
  expect(Object.keys(stacksOf({}))).toEqual(['DynamicLinks-dev']);
  expect(
    Object.keys(
      stacksOf({ shortDomain: 'go.example.com', shortCertificateArn: certificate, region: 'eu-west-1' }),
    ),
  ).toEqual(['DynamicLinks-dev']);
  const { 'DynamicLinksEdge-prod-eu-west-1': edge, 'DynamicLinks-prod': service } = stacksOf(ownDomains);
  expect(edge?.environment.region).toBe('us-east-1');
  expect(service?.environment.region).toBe('eu-west-1');
  expect(service?.dependencies.map(({ id }) => id)).toContain('DynamicLinksEdge-prod-eu-west-1');
  expect(
    resourcesOf(ownDomains, 'DynamicLinksEdge-prod-eu-west-1', 'AWS::CertificateManager::Certificate'),
  ).toHaveLength(1);
});

test('without an own domain and firewall a stack is bound to no account and no region', () => {
  const { 'DynamicLinks-dev': dev } = stacksOf({});
  expect(dev?.environment).toMatchObject({ account: 'unknown-account', region: 'unknown-region' });
});

test('both firewalls limit addresses and apply the core rules', () => {
  const firewalls = ['DynamicLinks-prod', 'DynamicLinksEdge-prod-eu-west-1'].flatMap((stack) =>
    resourcesOf(ownDomains, stack, 'AWS::WAFv2::WebACL'),
  );
  expect(firewalls.map(({ Properties }) => Properties?.Scope)).toEqual(['REGIONAL', 'CLOUDFRONT']);
  for (const { Properties } of firewalls) {
    expect(JSON.stringify(Properties?.Rules)).toMatch(/RateBasedStatement.*AWSManagedRulesCommonRuleSet/);
  }
  expect(resourcesOf(ownDomains, 'DynamicLinks-prod', 'AWS::WAFv2::WebACLAssociation')).toHaveLength(1);
  const [distribution] = resourcesOf(ownDomains, 'DynamicLinks-prod', 'AWS::CloudFront::Distribution');
  expect(distribution?.Properties?.DistributionConfig).toMatchObject({ WebACLId: expect.anything() });
});

test('own domains get their records', () => {
  const records = resourcesOf(ownDomains, 'DynamicLinks-prod', 'AWS::Route53::RecordSet');
  const named = records.map(({ Properties: { Name, Type, HostedZoneId } = {} }) => [
    Name,
    Type,
    HostedZoneId,
  ]);
  expect(named.sort()).toEqual([
    ['api.example.com.', 'A', 'Z9876543210ABCDEFGHIJ'],
    ['go.example.com.', 'A', 'Z0123456789ABCDEFGHIJ'],
    ['go.example.com.', 'AAAA', 'Z0123456789ABCDEFGHIJ'],
  ]);
  expect(resourcesOf(ownDomains, 'DynamicLinks-prod', 'AWS::ApiGateway::BasePathMapping')).toHaveLength(1);
});

test('firewalls keep no samples, and count by key what one key sends', () => {
  const firewalls = ['DynamicLinks-prod', 'DynamicLinksEdge-prod-eu-west-1'].flatMap((stack) =>
    resourcesOf(ownDomains, stack, 'AWS::WAFv2::WebACL'),
  );
  for (const { Properties } of firewalls) {
    const text = JSON.stringify(Properties);
    expect(text).toContain('"SampledRequestsEnabled":false');
    expect(text).not.toContain('"SampledRequestsEnabled":true');
  }
  const [ofApi, ofEdge] = firewalls.map(({ Properties }) => JSON.stringify(Properties));
  expect(ofApi).toContain('"CustomKeys":[{"Header":{"Name":"X-API-KEY"');
  expect(ofEdge).not.toContain('CustomKeys');
  // Whatever a query holds, no visitor is refused for it.
  for (const rule of [
    'GenericLFI_QUERYARGUMENTS',
    'CrossSiteScripting_QUERYARGUMENTS',
    'SizeRestrictions_QUERYSTRING',
  ])
    expect(ofEdge).toContain(`{"ActionToUse":{"Count":{}},"Name":"${rule}"}`);
});

test.each([
  ['180000', '10000', 180_000],
  ['100', '10000', 10_000],
  ['180000', '500', 37_500],
  ['100000000', '10000', 750_000],
])('with %s calls an hour and %s a second an address may send %i in five minutes', (hour, second, limit) => {
  const context = { stage: 'prod', rateLimitPerHour: hour, callsPerSecond: second };
  const [acl] = resourcesOf(context, 'DynamicLinks-prod', 'AWS::WAFv2::WebACL');
  const limits = [...JSON.stringify(acl).matchAll(/"Limit":(\d+)/g)].map(([, one]) => Number(one));
  expect(limits).toEqual([limit, limit]);
});

/** What holds state: renaming one of these deletes it. */
const stateful = {
  'AWS::DynamoDB::Table': 'DataTableFDBAD0F2',
  'AWS::S3::Bucket': 'ClicksFailuresD4AE78FD',
  'AWS::SecretsManager::Secret': 'ShortLinksVisitorSecretB321410E',
  'AWS::ApiGateway::RestApi': 'ApiRest4DEC74FE',
  'AWS::CloudFront::Distribution': 'ShortLinksDistributionDDE39EB8',
};

test.each(['dev', 'prod'])('%s keeps the logical ids on which data and addresses depend', (stage) => {
  const ids = Object.keys(stateful).map((type) => [
    type,
    resources({ stage }, `DynamicLinks-${stage}`).find(([, { Type }]) => Type === type)?.[0],
  ]);
  expect(Object.fromEntries(ids)).toEqual(stateful);
});

test('data outlives a prod stack and goes with a dev one', () => {
  const policies = (stage: string) =>
    ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret'].flatMap((type) =>
      resourcesOf({ stage }, `DynamicLinks-${stage}`, type).map(({ DeletionPolicy }) => DeletionPolicy),
    );
  expect(policies('prod')).toEqual(['Retain', 'Retain', 'Retain']);
  expect(policies('dev')).toEqual(['Delete', 'Delete', 'Delete']);
  expect(stacksOf({ stage: 'prod' })['DynamicLinks-prod']?.terminationProtection).toBe(true);
});

test('two stages share no name within an account', () => {
  const names = (stage: string) =>
    Object.keys(stacksOf({ stage })).flatMap((stackName) =>
      resources({ stage }, stackName).flatMap(([, { Type, Properties }]) =>
        Object.entries(Properties ?? {})
          .filter(
            ([name, value]) => physicalName.test(name) && typeof value === 'string' && !scoped.has(Type),
          )
          .map(([name, value]) => `${Type} ${name} ${value}`),
      ),
    );
  const dev = new Set(names('dev'));
  expect(dev.size).toBeGreaterThan(0);
  expect(names('prod').filter((name) => dev.has(name))).toEqual([]);
});

const physicalName =
  /^(?:Name|.*(?:Table|Bucket|Function|Role|Group|Topic|Alarm|Dashboard|Metric)Name|ApiName)$/;
/** Their names count only within another resource or together with a dimension, which are the stage's own. */
const scoped = new Set([
  'AWS::Lambda::Alias',
  'AWS::ApiGateway::Authorizer',
  'AWS::ApiGateway::Stage',
  'AWS::CloudWatch::Alarm',
]);
