import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Aspects, Stack, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { templateContexts } from '../../../bin/template-contexts.ts';
import { addApiFirewall } from '../../../lib/api-firewall.ts';
import { configOf } from '../../../lib/config.ts';
import { settingsOf } from '../../../lib/settings.ts';
import { belowStage, gatewayRequestOf } from '../../../local/api-gateway/request.ts';
import { appWith, resources, resourcesOf, stacksOf, synthesize } from '../../support/deployment.ts';
import { isNightly, testAtNight } from '../../support/nightly.ts';

const tableType = 'AWS::DynamoDB::Table';
const ownDomains = templateContexts['prod on own domains'] ?? {};

// Rules take most of a synthesis. Each synthesis for a deployment is also checked by them.
testAtNight.each(Object.entries(templateContexts))(
  '%s has no open finding of the rule packs',
  async (_, context) => {
    const { AwsSolutionsChecks, ServerlessChecks } = await import('cdk-nag');
    // Throws with the findings.
    const stacks = synthesize(context, (app) =>
      Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app)),
    );
    expect(stacks).not.toEqual([]);
  },
);

testAtNight.each(Object.entries(templateContexts))(
  '%s has no open finding of the rule packs of cdk-nag 2',
  async (_, context) => {
    const { AwsSolutionsChecks, ServerlessChecks } = await import('cdk-nag-2');
    const found: string[] = [];
    const note =
      (level: string) =>
      (finding: { ruleId: string; findingId?: string; resource: { node: { path: string } } }) =>
        void found.push(`${level} ${finding.ruleId}[${finding.findingId}] ${finding.resource.node.path}`);
    const logger = {
      onCompliance: () => undefined,
      onNonCompliance: note('open'),
      onSuppressed: () => undefined,
      onError: note('error'),
      onSuppressedError: () => undefined,
      onNotApplicable: () => undefined,
    };
    synthesize(context, (app) => {
      for (const Checks of [AwsSolutionsChecks, ServerlessChecks])
        Aspects.of(app).add(new Checks({ additionalLoggers: [logger] }));
    });
    expect(found).toEqual([]);
  },
);

const differing = ['prod on own domains', 'prod with tenants', 'dev on an adopted table'];

test.each(isNightly ? differing : differing.slice(0, 1))(
  '%s is the same to the byte when synthesized twice',
  (name) => {
    const context = templateContexts[name] ?? {};
    const textsOf = (stacks: readonly CloudFormationStackArtifact[]) =>
      stacks.map(({ templateFullPath }) => readFileSync(templateFullPath, 'utf8'));
    expect(textsOf(synthesize(context))).toEqual(textsOf(Object.values(stacksOf(context))));
  },
);

test('a second stack exists only for resources that CloudFront needs in us-east-1', () => {
  expect(Object.keys(stacksOf({}))).toEqual(['DynamicLinks-dev']);
  const given = stacksOf(templateContexts['dev on given certificates'] ?? {});
  // With a health check, which is a metric of us-east-1.
  expect(Object.keys(given).filter((name) => !name.includes('EdgeAlarms'))).toEqual(['DynamicLinks-dev']);
  const { 'DynamicLinksEdge-prod-eu-west-1': edge, 'DynamicLinks-prod': service } = stacksOf(ownDomains);
  expect(edge?.environment.region).toBe('us-east-1');
  expect(service?.environment.region).toBe('eu-west-1');
  expect(service?.dependencies.map(({ id }) => id)).toContain('DynamicLinksEdge-prod-eu-west-1');
  expect(
    resourcesOf(ownDomains, 'DynamicLinksEdge-prod-eu-west-1', 'AWS::CertificateManager::Certificate'),
  ).toHaveLength(1);
});

test('without a custom domain and firewall a stack fits any account and region', () => {
  const { 'DynamicLinks-dev': dev } = stacksOf({});
  expect(dev?.environment).toMatchObject({ account: 'unknown-account', region: 'unknown-region' });
});

const firewalls = ['DynamicLinks-prod', 'DynamicLinksEdge-prod-eu-west-1'].flatMap((stack) =>
  resourcesOf(ownDomains, stack, 'AWS::WAFv2::WebACL').map(({ Properties }) => Properties ?? {}),
);

test('both firewalls limit addresses, apply the core rules, and keep no samples', () => {
  expect(firewalls.map(({ Scope }) => Scope)).toEqual(['REGIONAL', 'CLOUDFRONT']);
  for (const firewall of firewalls) {
    expect(JSON.stringify(firewall.Rules)).toMatch(/RateBasedStatement.*AWSManagedRulesCommonRuleSet/);
    expect(JSON.stringify(firewall)).toContain('"SampledRequestsEnabled":false');
    expect(JSON.stringify(firewall)).not.toContain('"SampledRequestsEnabled":true');
  }
  expect(resourcesOf(ownDomains, 'DynamicLinks-prod', 'AWS::WAFv2::WebACLAssociation')).toHaveLength(1);
  const [distribution] = resourcesOf(ownDomains, 'DynamicLinks-prod', 'AWS::CloudFront::Distribution');
  expect(distribution?.Properties?.DistributionConfig).toMatchObject({ WebACLId: expect.anything() });
});

test('custom domains get their DNS records', () => {
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
    ['links.example.com.', 'A', 'Z0123456789ABCDEFGHIJ'],
    ['links.example.com.', 'AAAA', 'Z0123456789ABCDEFGHIJ'],
    ['qr.example.com.', 'A', 'Z0123456789ABCDEFGHIJ'],
    ['qr.example.com.', 'AAAA', 'Z0123456789ABCDEFGHIJ'],
  ]);
  expect(resourcesOf(ownDomains, 'DynamicLinks-prod', 'AWS::ApiGateway::BasePathMapping')).toHaveLength(1);
});

test("the API's custom domain speaks TLS 1.2 at least, and is its only address", () => {
  const [domain] = resourcesOf(ownDomains, 'DynamicLinks-prod', 'AWS::ApiGateway::DomainName');
  expect(domain?.Properties?.SecurityPolicy).toBe('TLS_1_2');
  const apis = resourcesOf(ownDomains, 'DynamicLinks-prod', 'AWS::ApiGateway::RestApi');
  const api = apis.find(({ Properties }) => Properties?.Name === 'dynamic-links-prod');
  expect(api?.Properties?.DisableExecuteApiEndpoint).toBe(true);
});

test("the API's firewall counts requests by key, and the edge's refuses no query", () => {
  const [ofApi, ofEdge] = firewalls.map((firewall) => JSON.stringify(firewall));
  expect(ofApi).toContain('"CustomKeys":[{"Header":{"Name":"X-API-KEY"');
  expect(ofEdge).not.toContain('CustomKeys');
  for (const rule of [
    'GenericLFI_QUERYARGUMENTS',
    'CrossSiteScripting_QUERYARGUMENTS',
    'SizeRestrictions_QUERYSTRING',
  ])
    expect(ofEdge).toContain(`{"ActionToUse":{"Count":{}},"Name":"${rule}"}`);
});

interface Statement {
  readonly AndStatement?: { readonly Statements: readonly Statement[] };
  readonly OrStatement?: { readonly Statements: readonly Statement[] };
  readonly NotStatement?: { readonly Statement: Statement };
  readonly LabelMatchStatement?: { readonly Key: string };
  readonly RegexMatchStatement?: { readonly RegexString: string };
  readonly RateBasedStatement?: { readonly Limit: number; readonly ScopeDownStatement?: Statement };
}

/** Whether a statement holds of a path for which the core rules have left these labels. */
const holds = (one: Statement, path: string, labels: readonly string[]): boolean => {
  if (one.AndStatement) return one.AndStatement.Statements.every((each) => holds(each, path, labels));
  if (one.OrStatement) return one.OrStatement.Statements.some((each) => holds(each, path, labels));
  if (one.NotStatement) return !holds(one.NotStatement.Statement, path, labels);
  if (one.LabelMatchStatement) return labels.includes(one.LabelMatchStatement.Key);
  return new RegExp(one.RegexMatchStatement?.RegexString ?? '$^').test(path);
};

describe("the API's firewall where members sign in", () => {
  const rules = (firewalls[0]?.Rules ?? []) as readonly { Name: string; Statement: Statement }[];
  const named = (name: string) => rules.find(({ Name }) => Name === name)?.Statement ?? {};
  const core = 'awswaf:managed:aws:core-rule-set:';

  test.each([
    ['/console/callback', 'SizeRestrictions_QueryString', false],
    ['/prod/console/callback', 'SizeRestrictions_QueryString', false],
    // Google sends the addresses of its scopes back.
    ['/console/callback', 'GenericRFI_QueryArguments', false],
    ['/1.0/links', 'GenericRFI_QueryArguments', true],
    ['/console', 'SizeRestrictions_Cookie_Header', false],
    ['/1.0/links', 'SizeRestrictions_QueryString', true],
    ['/1.0/links', 'SizeRestrictions_Cookie_Header', true],
    ['/consoles', 'SizeRestrictions_QueryString', true],
    ['/1.0/links/console', 'SizeRestrictions_QueryString', true],
    ['/console/callback', 'EC2MetaDataSSRF_Body', false],
  ])('%s with %s is blocked: %p', (path, label, isBlocked) => {
    expect(JSON.stringify(rules)).toMatch(
      /"Count":\{\}\},"Name":"GenericRFI_QUERYARGUMENTS"\}.*SizeRestrictions_QUERYSTRING.*SizeRestrictions_Cookie_HEADER/,
    );
    expect(holds(named('Elsewhere'), path, [core + label])).toBe(isBlocked);
    expect(holds(named('Elsewhere'), path, [])).toBe(false);
  });

  test('lets an address make five requests a second to the console, and counts no others there', () => {
    const { ScopeDownStatement = {}, ...rate } = named('RateOfConsole').RateBasedStatement ?? {};
    expect(rate).toEqual({ AggregateKeyType: 'IP', EvaluationWindowSec: 60, Limit: 300 });
    expect(
      ['/console', '/prod/console/session', '/1.0/links'].map((path) => holds(ScopeDownStatement, path, [])),
    ).toEqual([true, true, false]);
  });

  test.each(['callback', 'sign-in'])('lets an address call %s twenty times a minute', (name) => {
    const { ScopeDownStatement = {}, ...rate } = named(`RateOf-${name}`).RateBasedStatement ?? {};
    expect(rate).toEqual({ AggregateKeyType: 'IP', EvaluationWindowSec: 60, Limit: 20 });
    const paths = [`/console/${name}`, `//dev//console//${name}`, `/console/${name}/`, '/console/session'];
    expect(paths.map((path) => holds(ScopeDownStatement, path, []))).toEqual([true, true, true, false]);
  });

  test.each([
    ...['//console/session', '///console', '/dev//console/session', '//dev/console/session'],
    ...['//dev///console/callback', '/dev/console/p/shop', '/console/'],
  ])('counts %s, which API Gateway leads to the console', (url) => {
    const sent = { url, headers: {}, rawHeaders: [], socket: {} } as unknown as IncomingMessage;
    const request = gatewayRequestOf(sent);
    expect((belowStage(request, 'dev') ?? request).path).toMatch(/^\/console(\/|$)/);
    expect(holds(named('RateOfConsole').RateBasedStatement?.ScopeDownStatement ?? {}, url, [])).toBe(true);
  });

  test('has none of it elsewhere', () => {
    const plain = { stage: 'prod', region: 'eu-west-1' };
    expect(JSON.stringify(resourcesOf(plain, 'DynamicLinks-prod', 'AWS::WAFv2::WebACL'))).not.toMatch(
      /console|SizeRestrictions_(QUERY|Query|Cookie)/i,
    );
  });
});

test.each([
  ['180000', '10000', 180_000],
  ['100', '10000', 10_000],
  ['180000', '500', 37_500],
  ['100000000', '10000', 750_000],
])('with %s calls an hour and %s a second an address may send %i in five minutes', (hour, second, limit) => {
  // Only the firewall: a whole stack takes half a second.
  const stack = new Stack(appWith());
  const { root, deploymentStage: stage } = new RestApi(stack, 'Rest');
  root.addMethod('GET');
  const settings = settingsOf({ stage: 'prod', rateLimitPerHour: hour, callsPerSecond: second });
  addApiFirewall(stack, stage, configOf(settings));
  const acl = Template.fromStack(stack).findResources('AWS::WAFv2::WebACL');
  const limits = [...JSON.stringify(acl).matchAll(/"Limit":(\d+)/g)].map(([, one]) => Number(one));
  // The last one is for share links, which anybody may make.
  expect(limits).toEqual([limit, limit, 100]);
});

test('the firewall of short URLs lets an address make as many visits as the deployment sets', () => {
  expect(JSON.stringify(firewalls[1])).toContain(`"Limit":${ownDomains.visitsPerAddress}`);
});

test('a former certificate or firewall of CloudFront stays while the distribution may still use it', () => {
  const stack = 'DynamicLinksEdge-prod-eu-west-1';
  for (const type of ['AWS::CertificateManager::Certificate', 'AWS::WAFv2::WebACL'])
    expect(resourcesOf(ownDomains, stack, type)).toMatchObject([
      { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' },
    ]);
  // The API's firewall is in the stage's own stack.
  expect(resourcesOf(ownDomains, 'DynamicLinks-prod', 'AWS::WAFv2::WebACL')[0]).not.toHaveProperty(
    'DeletionPolicy',
  );
});

test('further hosts are aliases of the distribution, and its certificate names them', () => {
  const [distribution] = resourcesOf(ownDomains, 'DynamicLinks-prod', 'AWS::CloudFront::Distribution');
  const names = ['go.example.com', 'links.example.com', 'qr.example.com'];
  expect(distribution?.Properties?.DistributionConfig).toMatchObject({ Aliases: names });
  const [certificate] = resourcesOf(
    ownDomains,
    'DynamicLinksEdge-prod-eu-west-1',
    'AWS::CertificateManager::Certificate',
  );
  expect(certificate?.Properties).toMatchObject({
    DomainName: names[0],
    SubjectAlternativeNames: names.slice(1),
  });
});

describe('custom hosts as tenants', () => {
  const tenants = templateContexts['prod with tenants'] ?? {};
  const [shared, template] = resourcesOf(tenants, 'DynamicLinks-prod', 'AWS::CloudFront::Distribution').map(
    ({ Properties }) => Properties?.DistributionConfig as Record<string, unknown>,
  );

  test('use a template with the same behaviours, firewall and error pages', () => {
    expect(template?.ConnectionMode).toBe('tenant-only');
    expect(shared).not.toHaveProperty('ConnectionMode');
    const withoutOrigins = (config: unknown) =>
      JSON.stringify(config).replaceAll(/"TargetOriginId":"[^"]+"/g, '"TargetOriginId":""');
    for (const part of [
      'DefaultCacheBehavior',
      'CacheBehaviors',
      'CustomErrorResponses',
      'WebACLId',
      'HttpVersion',
    ]) {
      expect(withoutOrigins(template?.[part])).toBe(withoutOrigins(shared?.[part]));
    }
  });

  test('leave settings to the connection group and tenant that a template must not have', () => {
    expect(Object.keys(template ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(IPV6Enabled|PriceClass|Aliases|ViewerCertificate)$/)]),
    );
    expect(resourcesOf(tenants, 'DynamicLinks-prod', 'AWS::CloudFront::ConnectionGroup')).toMatchObject([
      { Properties: { Enabled: true, Ipv6Enabled: true } },
    ]);
  });

  test('reach the functions, which allow both distributions', () => {
    const permissions = resourcesOf(tenants, 'DynamicLinks-prod', 'AWS::Lambda::Permission').filter(
      ({ Properties }) => Properties?.Principal === 'cloudfront.amazonaws.com',
    );
    const sources = permissions.map(({ Properties }) => JSON.stringify(Properties?.SourceArn));
    expect(sources.filter((arn) => arn.includes('OwnHosts'))).toHaveLength(sources.length / 2);
  });
});

test('functions, alarms and stream consumers use an adopted table', () => {
  const adopted = templateContexts['dev on an adopted table'] ?? {};
  // The record of take-downs stays the stack's own.
  const tablesOf = resources(adopted, 'DynamicLinks-dev').filter(([, { Type }]) => Type === tableType);
  expect(tablesOf.map(([id]) => id)).toEqual([stateful[tableType][1]]);
  const functions = resourcesOf(adopted, 'DynamicLinks-dev', 'AWS::Lambda::Function');
  const tables = functions.map(({ Properties }) => {
    const environment = Properties?.Environment as { Variables: Record<string, unknown> } | undefined;
    return environment?.Variables.TABLE_NAME;
  });
  expect(new Set(tables)).toEqual(new Set([undefined, adopted.tableName]));
  for (const { Properties } of resourcesOf(adopted, 'DynamicLinks-dev', 'AWS::Lambda::EventSourceMapping')) {
    // Streams are read from a position on; queues have none.
    if (Properties?.StartingPosition) expect(Properties.EventSourceArn).toBe(adopted.tableStreamArn);
  }
  const { 'DynamicLinks-dev': stack } = stacksOf(adopted);
  // `npx dls deploy` compares this output to notice a return to the stack's own table.
  expect(stack?.template.Outputs.AdoptedTable.Value).toBe(adopted.tableName);
});

test('two regions of one account share no name of CloudFront', () => {
  const [here = {}, there = {}] = [templateContexts['prod with tenants'], ownDomains];
  const named = (context: typeof here) =>
    Object.entries(stacksOf(context)).flatMap(([stack, { environment }]) =>
      resources(context, stack).flatMap(([, { Type, Properties }]) =>
        Type.startsWith('AWS::CloudFront::')
          ? [...JSON.stringify(Properties).matchAll(/"Name":("[^"]+"|\{.*?\]\]\})/g)]
              .filter(([, name = '']) => /DynamicLinks|Fn::Join/.test(name))
              .map(([, name = '']) => name.replaceAll('{"Ref":"AWS::Region"}', environment.region))
          : [],
      ),
    );
  const one = named(here);
  expect(one.length).toBeGreaterThan(8);
  expect(named(there).filter((name) => one.includes(name))).toEqual([]);
  const stackNames = (context: typeof here) =>
    Object.keys(stacksOf(context)).filter((name) => name.includes('Edge'));
  expect(stackNames(there).filter((name) => stackNames(here).includes(name))).toEqual([]);
});

/** Resources with state: renaming one of these deletes it. */
const stateful = {
  [tableType]: ['DataTableFDBAD0F2', 'TakedownsRecordC6253075'],
  'AWS::S3::Bucket': ['ClicksFailuresD4AE78FD'],
  'AWS::SecretsManager::Secret': ['ShortLinksVisitorSecretB321410E', 'WebhooksSecret14C8806E'],
  'AWS::ApiGateway::RestApi': ['ApiRest4DEC74FE', 'ShortLinksBehaviorsRetryApiCC868D7E'],
  'AWS::CloudFront::Distribution': ['ShortLinksDistributionDDE39EB8'],
};

test.each(['dev', 'prod'])('%s keeps the logical ids on which data and addresses depend', (stage) => {
  const ids = Object.keys(stateful).map((type) => [
    type,
    resources(templateContexts[stage] ?? {}, `DynamicLinks-${stage}`)
      .filter(([, { Type }]) => Type === type)
      .map(([id]) => id)
      .sort(),
  ]);
  expect(Object.fromEntries(ids)).toEqual(stateful);
});

/** A function with another id is another one: without its alias, and for a moment with no concurrency of its own. */
const functionIds = [
  'ApiAuthorizeFunction56CCD404',
  'ApiReferenceServeFunctionB6523A0A',
  'ApiCreateLinkFunction8CE4D26D',
  'ClicksAggregateClicksFunctionFAE528E0',
  'ClicksExpireLinksFunction0A2714D8',
  'ShortLinksAppLinkFunction0BE85DD4',
  'ShortLinksQrFunctionD64E9094',
  'ShortLinksRedirectFunction325731C7',
  'ShortLinksWellKnownFunction4B19CF37',
];

test.each(['dev', 'prod'])('%s keeps the logical ids of its functions', (stage) => {
  const ids = resources(templateContexts[stage] ?? {}, `DynamicLinks-${stage}`)
    .filter(([, { Type }]) => Type === 'AWS::Lambda::Function')
    .map(([id]) => id);
  expect(ids).toEqual(expect.arrayContaining(functionIds));
});

test('data survives the deletion of a prod stack, not of a dev stack', () => {
  const policies = (stage: string) =>
    ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret'].flatMap((type) =>
      resourcesOf(templateContexts[stage] ?? {}, `DynamicLinks-${stage}`, type).map(
        ({ DeletionPolicy }) => DeletionPolicy,
      ),
    );
  // Resources of a failed first deployment hold no data yet, so they may go; the protected table stays.
  expect(policies('prod')).toEqual([
    ...['Retain', 'Retain'],
    ...['RetainExceptOnCreate', 'RetainExceptOnCreate', 'RetainExceptOnCreate'],
  ]);
  expect(policies('dev')).toEqual(['Delete', 'Delete', 'Delete', 'Delete', 'Delete']);
  const exporting = resourcesOf(ownDomains, 'DynamicLinks-prod', 'AWS::S3::Bucket');
  expect(exporting.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual([
    'RetainExceptOnCreate',
    'RetainExceptOnCreate',
  ]);
  expect(stacksOf(templateContexts.prod ?? {})['DynamicLinks-prod']?.terminationProtection).toBe(true);
});

test('two stages share no name within an account', () => {
  const names = (stage: string) =>
    Object.keys(stacksOf(templateContexts[stage] ?? {})).flatMap((stackName) =>
      resources(templateContexts[stage] ?? {}, stackName).flatMap(([, { Type, Properties }]) =>
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
/** Their names only need to be unique within another resource or a dimension of the stage. */
const scoped = new Set([
  'AWS::Lambda::Alias',
  'AWS::ApiGateway::Authorizer',
  'AWS::ApiGateway::Stage',
  'AWS::CloudWatch::Alarm',
]);
