import { Match, type Template } from 'aws-cdk-lib/assertions';
import { templateContexts } from '../../../bin/template-contexts.ts';
import { grantsOf, referred, synthesizedStack, watchedContext } from '../../support/template.ts';

const stack = synthesizedStack();
const own = synthesizedStack(templateContexts['dev on given certificates']);

const distributionOf = (template: Template) => {
  const [distribution] = Object.values(template.findResources('AWS::CloudFront::Distribution'));
  return distribution?.Properties.DistributionConfig;
};
const config = distributionOf(stack);

const behavior = (pathPattern?: string) =>
  pathPattern === undefined
    ? config.DefaultCacheBehavior
    : config.CacheBehaviors.find((one: { PathPattern: string }) => one.PathPattern === pathPattern);

const everyBehavior = [
  undefined,
  '*/link.json*',
  '*/open.json*',
  '*/qr.png*',
  '*/qr.svg*',
  '/.well-known/*',
  '/apple-app-site-association',
];

const policyOf = (reference: unknown) => Object.values(referred(stack, reference)[1].Properties)[0] as never;

const functionBehind = (pathPattern?: string): string => {
  const origin = config.Origins.find(
    (one: { Id: string }) => one.Id === behavior(pathPattern).TargetOriginId,
  );
  return JSON.stringify(origin.DomainName);
};

test.each(everyBehavior)('%s requires TLS, runs the edge function and allows every method', (pathPattern) => {
  expect(behavior(pathPattern)).toMatchObject({
    ViewerProtocolPolicy: 'redirect-to-https',
    AllowedMethods: expect.arrayContaining(['GET', 'HEAD', 'POST', 'DELETE']),
    FunctionAssociations: [{ EventType: 'viewer-request' }],
    ResponseHeadersPolicyId: expect.anything(),
  });
});

test.each([undefined, '*/link.json*', '*/open.json*'])('nothing of %s is cached', (pathPattern) => {
  expect(behavior(pathPattern).CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad');
  expect(behavior(pathPattern).OriginRequestPolicyId).toEqual(behavior().OriginRequestPolicyId);
});

test.each(['*/qr.png*', '*/qr.svg*'])(
  'for %s, the edge sees the options and keeps nothing for more than a second',
  (pathPattern) => {
    expect(policyOf(behavior(pathPattern).CachePolicyId)).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 1,
      ParametersInCacheKeyAndForwardedToOrigin: {
        HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['X-Forwarded-Host'] },
        QueryStringsConfig: {
          QueryStringBehavior: 'whitelist',
          QueryStrings: ['size', 'margin', 'color', 'background', 'level'],
        },
        CookiesConfig: { CookieBehavior: 'none' },
      },
    });
  },
);

test('association files are cached for minutes, by host', () => {
  expect(policyOf(behavior('/.well-known/*').CachePolicyId)).toMatchObject({
    MaxTTL: 300,
    ParametersInCacheKeyAndForwardedToOrigin: {
      HeadersConfig: { Headers: ['X-Forwarded-Host'] },
      QueryStringsConfig: { QueryStringBehavior: 'none' },
    },
  });
});

test('the redirect gets at most ten headers, and the whole query', () => {
  const { HeadersConfig, QueryStringsConfig, CookiesConfig } = policyOf(behavior().OriginRequestPolicyId);
  const { Headers } = HeadersConfig as { Headers: string[] };
  expect(Headers.length).toBeLessThanOrEqual(10);
  const needed =
    'User-Agent Accept Sec-Purpose Referer X-Forwarded-Host X-Visit-Id CloudFront-Viewer-Address';
  expect(Headers).toEqual(expect.arrayContaining(needed.split(' ')));
  // A function URL accepts only its own host.
  expect(Headers.map((name) => name.toLowerCase())).not.toContain('host');
  expect(QueryStringsConfig).toEqual({ QueryStringBehavior: 'all' });
  expect(CookiesConfig).toEqual({ CookieBehavior: 'none' });
});

test('QR codes, association files and responses to apps have separate functions', () => {
  for (const [pathPattern, name] of [
    ['*/link.json*', 'AppLink'],
    ['*/open.json*', 'AppLink'],
    ['*/qr.png*', 'Qr'],
    ['*/qr.svg*', 'Qr'],
    ['/.well-known/*', 'WellKnown'],
    ['/apple-app-site-association', 'WellKnown'],
    [undefined, 'Redirect'],
  ] as const)
    expect(functionBehind(pathPattern)).toContain(`ShortLinks${name}`);
});

test('the edge repeats no request, because it would be a second click', () => {
  const functions = config.Origins.filter(
    ({ OriginPath }: { OriginPath?: string }) => OriginPath === undefined,
  );
  expect(functions).toHaveLength(4);
  for (const origin of functions) {
    expect(origin).toMatchObject({
      ConnectionAttempts: 1,
      ConnectionTimeout: 3,
      CustomOriginConfig: { OriginReadTimeout: 7 },
      OriginAccessControlId: expect.anything(),
    });
  }
});

test('an error of a function becomes a page that tries again, from an origin without a function', () => {
  const pages = (config.CustomErrorResponses as Record<string, unknown>[]).filter(
    ({ ResponsePagePath }) => ResponsePagePath !== undefined,
  );
  expect(pages.map(({ ErrorCode }) => ErrorCode)).toEqual([502, 504]);
  for (const page of pages)
    expect(page).toMatchObject({ ResponseCode: 503, ResponsePagePath: '/retry.html' });
  const { TargetOriginId } = behavior('/retry.html');
  const origin = config.Origins.find(({ Id }: { Id: string }) => Id === TargetOriginId);
  expect(origin).toMatchObject({
    OriginPath: '/page',
    CustomOriginConfig: { OriginProtocolPolicy: 'https-only' },
  });
  const [method, ...others] = Object.values(stack.findResources('AWS::ApiGateway::Method')).filter(
    ({ Properties: { HttpMethod, Integration } }) => HttpMethod === 'GET' && Integration.Type === 'MOCK',
  );
  expect(others).toEqual([]);
  const [response] = method?.Properties.Integration.IntegrationResponses ?? [];
  expect(response.ResponseTemplates['text/html']).toMatch(/http-equiv="refresh" content="4"/);
  // API Gateway's templates would read these as their own.
  expect(response.ResponseTemplates['text/html']).not.toMatch(/[#$]/);
  expect(response.ResponseParameters).toMatchObject({
    'method.response.header.Retry-After': "'3'",
    'method.response.header.Cache-Control': "'private, no-store'",
    'method.response.header.X-Robots-Tag': "'noindex, nofollow'",
  });
});

test('no error is cached', () => {
  const remembered = config.CustomErrorResponses as { ErrorCode: number; ErrorCachingMinTTL: number }[];
  expect(remembered.map(({ ErrorCode }) => ErrorCode)).toEqual(
    expect.arrayContaining([404, 405, 414, 500, 501, 502, 503, 504]),
  );
  for (const { ErrorCachingMinTTL } of remembered) expect(ErrorCachingMinTTL).toBe(0);
});

test('HTTP/3 is on, and a custom domain requires TLS 1.2', () => {
  expect(config.HttpVersion).toBe('http2and3');
  expect(distributionOf(own)).toMatchObject({
    Aliases: ['go.example.com'],
    ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021' },
  });
});

test('every response requires TLS and its media type, and none hides the referrer from a destination', () => {
  const { SecurityHeadersConfig } = policyOf(behavior().ResponseHeadersPolicyId);
  expect(SecurityHeadersConfig).toEqual({
    ContentTypeOptions: { Override: true },
    StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, Override: true },
  });
});

test('the functions allow calls only through the distribution', () => {
  const urls = Object.entries(stack.findResources('AWS::Lambda::Url'));
  expect(urls).toHaveLength(4);
  for (const [id, { Properties }] of urls) {
    expect(id).toMatch(/^ShortLinks(Redirect|Qr|WellKnown|AppLink)/);
    expect(Properties.AuthType).toBe('AWS_IAM');
  }
  const permissions = Object.values(stack.findResources('AWS::Lambda::Permission')).map(
    ({ Properties }) => Properties,
  );
  for (const start of ['Redirect', 'Qr', 'WellKnown', 'AppLink']) {
    const own = permissions.filter(({ FunctionName }) =>
      referred(stack, FunctionName)[0].startsWith(`ShortLinks${start}Function`),
    );
    expect(own.map(({ Action }) => Action).sort()).toEqual([
      'lambda:InvokeFunction',
      'lambda:InvokeFunctionUrl',
    ]);
    for (const { Principal, SourceArn } of own) {
      expect(Principal).toBe('cloudfront.amazonaws.com');
      expect(JSON.stringify(SourceArn)).toContain(':distribution/');
    }
  }
});

test('visits are not traced, and CloudFront keeps no log of them', () => {
  const functions = Object.entries(stack.findResources('AWS::Lambda::Function'));
  for (const [id, { Properties }] of functions.filter(([name]) => name.startsWith('ShortLinks')))
    expect([id, Properties.TracingConfig]).toEqual([id, undefined]);
  expect(config).not.toHaveProperty('Logging');
  for (const pathPattern of everyBehavior)
    expect(behavior(pathPattern)).not.toHaveProperty('RealtimeLogConfigArn');
});

test.each([
  ['Redirect', ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem']],
  ['WellKnown', ['dynamodb:GetItem', 'dynamodb:Query']],
  ['Qr', ['dynamodb:GetItem', 'dynamodb:Query']],
  ['AppLink', ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem']],
])('%s may do %j with the table', (name, actions) => {
  const functions = Object.keys(stack.findResources('AWS::Lambda::Function'));
  const id = functions.find((one) => one.startsWith(`ShortLinks${name}`)) ?? '';
  expect(grantsOf(stack, id).actions).toEqual(actions);
});

test('visitors are hashed with a secret that the template does not hold', () => {
  stack.hasResourceProperties('AWS::Lambda::Function', {
    Environment: {
      Variables: {
        VISITOR_SECRET: { 'Fn::Join': ['', Match.arrayWith(['{{resolve:secretsmanager:'])] },
      },
    },
  });
});

test('Node uses source maps in every function except the redirect', () => {
  for (const [id, { Properties }] of Object.entries(stack.findResources('AWS::Lambda::Function'))) {
    const { NODE_OPTIONS } = Properties.Environment.Variables;
    expect([id, NODE_OPTIONS]).toEqual([
      id,
      id.startsWith('ShortLinksRedirect') ? undefined : '--enable-source-maps',
    ]);
  }
});

describe('with a second region', () => {
  const watched = synthesizedStack(watchedContext);
  const distributions = Object.values(watched.findResources('AWS::CloudFront::Distribution')).map(
    ({ Properties }) => Properties.DistributionConfig,
  );

  test.each([0, 1])('distribution %d has its origins, and is less patient with the first ones', (index) => {
    const { Origins } = distributions[index];
    const origins = Object.fromEntries(Origins.map((one: { Id: string }) => [one.Id, one]));
    for (const [id, ConnectionTimeout, OriginReadTimeout] of [
      ['Home', 2, 4],
      ['HomeFiles', 2, 4],
      ['Standby', 3, 7],
      ['StandbyFiles', 3, 7],
    ] as const)
      expect(origins[id]).toMatchObject({
        ConnectionAttempts: 1,
        ConnectionTimeout,
        CustomOriginConfig: { OriginReadTimeout, OriginProtocolPolicy: 'https-only' },
        OriginAccessControlId: expect.anything(),
      });
    const others = Origins.filter(({ Id }: { Id: string }) => !/^(Home|Standby)/.test(Id));
    // Two functions, and the page that tries again.
    expect(others).toHaveLength(3);
  });

  test.each([0, 1])(
    'distribution %d always asks the second region about itself, and keeps nothing',
    (index) => {
      const behaviors = distributions[index].CacheBehaviors as Record<string, unknown>[];
      const patterns = behaviors.map(({ PathPattern }) => PathPattern);
      for (const [pattern, origin] of [
        ['/.well-known/standby', 'StandbyFiles'],
        ['/.well-known/standby/*', 'Standby'],
      ]) {
        const found = behaviors.find(({ PathPattern }) => PathPattern === pattern);
        expect(found).toMatchObject({
          TargetOriginId: origin,
          CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
          FunctionAssociations: [{ EventType: 'viewer-request' }],
        });
        expect(patterns.indexOf(pattern)).toBeLessThan(patterns.indexOf('/.well-known/*'));
      }
    },
  );

  test('permissions of the second region are not in this stack', () => {
    const permissions = JSON.stringify(watched.findResources('AWS::Lambda::Permission'));
    expect(permissions).not.toContain('Standby');
  });

  test('Route 53 watches it, with an alarm', () => {
    const edgeAlarms = synthesizedStack(watchedContext, 'EdgeAlarms');
    const paths = Object.values(edgeAlarms.findResources('AWS::Route53::HealthCheck')).map(
      ({ Properties }) => Properties.HealthCheckConfig.ResourcePath,
    );
    expect(paths.sort()).toEqual(['/.well-known/standby', '/robots.txt']);
    const alarms = Object.keys(edgeAlarms.findResources('AWS::CloudWatch::Alarm'));
    expect(alarms).toEqual(expect.arrayContaining([expect.stringMatching(/^StandbyHealthCheck/)]));
  });
});
