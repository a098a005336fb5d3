import { Match, type Template } from 'aws-cdk-lib/assertions';
import { type Contract, storeOperationsOf } from '../../../core/api/endpoint.ts';
import { api, served } from '../../../core/api/index.ts';
import { apiRoutesOf, referencePaths } from '../../../core/api/routes.ts';
import { generateApiKey } from '../../../core/api-keys/api-key.ts';
import {
  planKeyBuckets,
  planKeyValue,
  shareBucketValue,
  sharePlanKeyBuckets,
} from '../../../core/api-keys/plan-key.ts';
import { grantsFor } from '../../../core/table/access.ts';
import { grantsOf, referred, signInContext, synthesizedStack } from '../../support/template.ts';

let template: Template;
beforeAll(() => {
  template = synthesizedStack();
});

/** The path of an API Gateway resource, from the root. */
const pathOf = (id: string, of: Template = template): string => {
  const { ParentId, PathPart } = of.toJSON().Resources[id].Properties;
  const [parent, resource] = 'Ref' in ParentId ? referred(of, ParentId) : [''];
  return `${resource ? pathOf(parent, of) : ''}/${PathPart}`;
};

const methodAt = (method: string, path: string) =>
  Object.values(template.findResources('AWS::ApiGateway::Method'))
    .map(({ Properties }) => Properties)
    .find(
      ({ HttpMethod, ResourceId }) =>
        HttpMethod === method && pathOf(referred(template, ResourceId)[0]) === `/1.0${path}`,
    );

const functionOf = (operation: string): string => {
  const { servedBy = operation }: Contract = api[operation as keyof typeof api];
  const name = servedBy.charAt(0).toUpperCase() + servedBy.slice(1);
  const found = Object.keys(template.findResources('AWS::Lambda::Function')).find((id) =>
    id.startsWith(`Api${name}Function`),
  );
  if (!found) throw new Error(`${operation} has no function`);
  return found;
};

test.each(apiRoutesOf(api))(
  '$method $path reaches $operation behind the authorizer',
  ({ method, path, operation }) => {
    const found = methodAt(method, path);
    expect(found).toMatchObject({ AuthorizationType: 'CUSTOM', ApiKeyRequired: true });
    expect(JSON.stringify(found?.Integration.Uri)).toContain(`"${functionOf(operation)}"`);
  },
);

test('every path takes all other methods without a key, to refuse them', () => {
  const paths = new Set(
    [...apiRoutesOf(api), ...referencePaths.map((path) => ({ path }))].map(({ path }) => path),
  );
  for (const path of paths) {
    const { AuthorizationType, ApiKeyRequired } = methodAt('ANY', path) ?? {};
    expect([path, AuthorizationType, ApiKeyRequired]).toEqual([path, 'NONE', undefined]);
  }
});

test.each([...served])(
  '%s has the table permissions of its contracts, and no others',
  (operation, contracts) => {
    const { actions, resources, leadingKeys } = grantsOf(template, functionOf(operation));
    const grants = grantsFor([...new Set(contracts.flatMap(storeOperationsOf))]);
    const named = grants.flatMap((grant) => grant.actions.map((action) => `dynamodb:${action}`));
    expect(actions).toEqual(named.sort());
    expect([...leadingKeys].flat().sort()).toEqual(grants.flatMap((grant) => grant.leadingKeys).sort());
    for (const resource of resources) {
      expect(referred(template, resource)[1].Type).toBe('AWS::DynamoDB::Table');
    }
  },
);

test('every function has the same platform, and logs with a retention time', () => {
  const functions = Object.values(template.findResources('AWS::Lambda::Function'));
  for (const { Properties } of functions) {
    expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    const [, logs] = referred(template, Properties.LoggingConfig.LogGroup);
    expect(logs.Properties.RetentionInDays).toBe(30);
  }
  expect(functions.length).toBeGreaterThan(Object.keys(api).length);
});

test("the gateway's own responses have the shape of the API, and echo nothing", () => {
  const responses = Object.values(template.findResources('AWS::ApiGateway::GatewayResponse')).map(
    ({ Properties }) => Properties,
  );
  const byType: Record<string, { status?: string; body: object }> = Object.fromEntries(
    responses.map(({ ResponseType, StatusCode, ResponseTemplates }) => [
      ResponseType,
      { status: StatusCode, body: JSON.parse(ResponseTemplates['application/json']) },
    ]),
  );
  const expected = {
    UNAUTHORIZED: ['401', 'INVALID_API_KEY'],
    MISSING_AUTHENTICATION_TOKEN: ['404', 'NOT_FOUND'],
    REQUEST_TOO_LARGE: ['400', 'VALIDATION_ERROR'],
    THROTTLED: ['429', 'RATE_LIMIT_EXCEEDED'],
    // Here only a key of the usage plan can be unknown.
    INVALID_API_KEY: ['503', 'SERVICE_UNAVAILABLE'],
    AUTHORIZER_CONFIGURATION_ERROR: ['503', 'SERVICE_UNAVAILABLE'],
  };
  for (const [type, [status, code]] of Object.entries(expected))
    expect([type, byType[type]]).toMatchObject([type, { status, body: { error: { code } } }]);
  for (const { ResponseParameters, ResponseType, StatusCode } of responses) {
    expect(ResponseParameters).toMatchObject({
      'gatewayresponse.header.Strict-Transport-Security': "'max-age=31536000'",
      'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
    });
    const waits = { 429: "'1'", 503: ResponseType === 'INVALID_API_KEY' ? "'15'" : "'5'" }[
      Number(StatusCode)
    ];
    expect([StatusCode, ResponseParameters['gatewayresponse.header.Retry-After']]).toEqual([
      StatusCode,
      waits,
    ]);
  }
  for (const { body } of Object.values(byType))
    expect(body).toMatchObject({ success: false, error: { message: expect.any(String) } });
});

/** The API's, not that of the page which CloudFront shows for errors. */
const stageOf = (one: Template) =>
  Object.entries(one.findResources('AWS::ApiGateway::Stage')).find(([id]) => id.startsWith('ApiRest'))?.[1];

test('the access log holds no key and no address, and no other log of the gateway is on', () => {
  const format = stageOf(template)?.Properties.AccessLogSetting.Format;
  expect(format).toContain('$context.requestId');
  expect(format).not.toMatch(/apiKey(?!Id)|sourceIp|userAgent/);
  // Execution logs hold the headers of calls.
  for (const { Properties } of Object.values(template.findResources('AWS::ApiGateway::Stage')))
    for (const { LoggingLevel = 'OFF', DataTraceEnabled = false } of Properties.MethodSettings ?? [])
      expect([LoggingLevel, DataTraceEnabled]).toEqual(['OFF', false]);
});

interface Statement {
  readonly Action: string | readonly string[];
  readonly Condition?: object;
}
interface Setting {
  readonly ResourcePath: string;
  readonly HttpMethod: string;
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
}
const settingsOf = (one: Template): readonly Setting[] => stageOf(one)?.Properties.MethodSettings;

/** The calls a second that a method takes, by its own setting or the stage's. */
const rateOf = (one: Template, path: string, method: string): number | undefined => {
  const settings = settingsOf(one);
  const own = settings.find(
    ({ ResourcePath, HttpMethod }) =>
      ResourcePath === `/${path.replaceAll('/', '~1')}` && HttpMethod === method,
  );
  const ofStage = settings.find(({ ResourcePath, HttpMethod }) => ResourcePath + HttpMethod === '/**');
  return (own ?? ofStage)?.ThrottlingRateLimit;
};

const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

test.each([
  ['by default', {}, 10_000],
  ['as the deployment says, with sign-in', signInContext, 3000],
])(
  'methods have the rate of the stage, and those that run a function without a key a small one, %s',
  (_, context, rate) => {
    const stack = synthesizedStack(context);
    const methods = Object.values(stack.findResources('AWS::ApiGateway::Method'))
      .map(({ Properties }) => Properties)
      .filter(({ RestApiId }) => RestApiId.Ref.startsWith('ApiRest'))
      .map(({ HttpMethod, AuthorizationType, ResourceId, Integration }) => ({
        method: String(HttpMethod),
        isOpen: AuthorizationType === 'NONE' && Integration.Type !== 'MOCK',
        isKeyed: AuthorizationType !== 'NONE',
        path: pathOf(referred(stack, ResourceId)[0], stack),
      }));
    expect(methods.filter(({ isKeyed }) => isKeyed)).toHaveLength(apiRoutesOf(api).length);
    const others = methods.filter(({ isOpen }) => !isOpen);
    expect(others.filter(({ path, method }) => rateOf(stack, path, method) !== rate)).toEqual([]);
    // API Gateway looks for the method that was asked for.
    const open = methods
      .filter(({ isOpen }) => isOpen)
      .flatMap((one) => (one.method === 'ANY' ? verbs : [one.method]).map((method) => ({ ...one, method })));
    expect(open.length).toBeGreaterThanOrEqual(2);
    expect(open.filter(({ path, method }) => (rateOf(stack, path, method) ?? rate) >= 100)).toEqual([]);
  },
);

test('the console takes fifty requests a second for each method, and ten for sign-ins', () => {
  const stack = synthesizedStack(signInContext);
  for (const [path, rate] of [
    ['/console', [50, 50]],
    ['/console/{file+}', [50, 50]],
    ['/console/callback', [10]],
    ['/console/sign-in', [10]],
  ] as const)
    expect(['GET', 'POST'].slice(0, rate.length).map((method) => rateOf(stack, path, method))).toEqual(rate);
});

test('the settings of the stage name methods as API Gateway knows them, and are no more than one update takes', () => {
  const all = settingsOf(synthesizedStack(signInContext));
  const named = all.filter(({ HttpMethod }) => HttpMethod !== '*');
  expect(named.filter(({ HttpMethod }) => !verbs.includes(HttpMethod))).toEqual([]);
  const values = all.flatMap((one) =>
    Object.keys(one).filter((key) => !/^(ResourcePath|HttpMethod)$/.test(key)),
  );
  // API Gateway refuses an update of about eighty. The two of AccessLogSetting are sent with them.
  expect(values.length + 2).toBeLessThanOrEqual(60);
});

test('without sign-in nothing of it is in a template but the address to register', () => {
  const [without, with_] = [template.toJSON(), synthesizedStack(signInContext).toJSON()];
  const { SignInRedirect, ...others } = without.Outputs;
  expect(SignInRedirect).toBeDefined();
  expect(with_.Outputs.SignInRedirect).toEqual(SignInRedirect);
  const text = JSON.stringify([others, without.Resources]);
  expect(text.match(/SignIn|SIGN_IN|Issuer|"console|MEMBER|PERSON|SESSION/g)).toBeNull();
  const ids = Object.keys(without.Resources);
  expect(ids.filter((id) => !(id in with_.Resources) && !/Deployment|Version/.test(id))).toEqual([]);
  const more = Object.keys(with_.Resources).filter(
    (id) => !ids.includes(id) && !/Deployment|Version/.test(id),
  );
  expect(more.filter((id) => !/SignIn|console/i.test(id))).toEqual([]);
  expect(more.length).toBeLessThanOrEqual(16);
});

test("only sign-in and the authorizer have permissions on members' items", () => {
  const rightsIn = (one: Template) =>
    Object.entries(one.findResources('AWS::IAM::Policy')).flatMap(([id, { Properties }]) =>
      (Properties.PolicyDocument.Statement as Statement[]).map(({ Action, Condition = {} }) =>
        [`${id}: ${[Action].flat()}`, ...Object.values(Condition).flatMap(Object.values).flat()].join(' '),
      ),
    );
  const with_ = synthesizedStack(signInContext);
  const before = rightsIn(template);
  const more = rightsIn(with_).filter((right) => !before.includes(right));
  expect(more.map((right) => right.replace(/^Api(SignIn|Authorize)\w+: /, '$1 ')).sort()).toEqual(
    [
      ['Authorize dynamodb:GetItem', 'KEY#*', 'MEMBERKEY#*', 'MEMBERS#*', 'SESSION#*'],
      [
        'SignIn dynamodb:ConditionCheckItem,dynamodb:DeleteItem,dynamodb:PutItem,dynamodb:UpdateItem',
        ...['MEMBERKEY#*', 'MEMBERS#*', 'PERSON#*', 'PROJECT#*', 'RATE#*', 'SESSION#*', 'SIGNEDIN#*'],
      ],
      ['SignIn dynamodb:BatchGetItem', 'MEMBERS#*', 'PROJECT#*'],
      [
        'SignIn dynamodb:GetItem',
        ...['MEMBERKEY#*', 'MEMBERS#*', 'PERSON#*', 'PROJECT#*', 'SESSION#*', 'SIGNEDIN#*'],
      ],
      ['SignIn dynamodb:Query', 'MEMBERS#*'],
      ['SignIn logs:CreateLogStream,logs:PutLogEvents'],
    ]
      .map(([right, ...keys]) => [right, ...keys].join(' '))
      .sort(),
  );
  // The name that CloudFormation gives is another one each time that sign-in is turned on: former sessions are of no use then.
  for (const { Properties } of Object.values(with_.findResources('AWS::Lambda::Function')))
    expect(Properties).not.toHaveProperty('FunctionName');
});

test("large answers of the API, the reference's, are compressed", () => {
  template.hasResourceProperties('AWS::ApiGateway::RestApi', { MinimumCompressionSize: 2048 });
});

test("plan keys have a tenth of the stage's rate, those for sharing a hundredth, and the authorizer their start", () => {
  for (const RateLimit of [1000, 100])
    template.hasResourceProperties('AWS::ApiGateway::UsagePlan', {
      Throttle: { RateLimit, BurstLimit: 2 * RateLimit },
    });
  const keys = Object.values(template.findResources('AWS::ApiGateway::ApiKey'));
  const [, authorize] =
    Object.entries(template.findResources('AWS::Lambda::Function')).find(([id]) =>
      id.startsWith('ApiAuthorize'),
    ) ?? [];
  const start = authorize?.Properties.Environment.Variables.PLAN_KEYS;
  const values = [
    ...Array.from({ length: planKeyBuckets }, (_, bucket) => planKeyValue(start, bucket)),
    ...Array.from({ length: sharePlanKeyBuckets }, (_, bucket) => shareBucketValue(start, bucket)),
  ];
  expect(keys.map(({ Properties }) => Properties.Value).sort()).toEqual(values.sort());
  template.resourceCountIs('AWS::ApiGateway::UsagePlanKey', values.length);
  for (const { Properties } of keys) expect(Properties.Value).toMatch(/^[\w-]{20,128}$/);
});

test('the gateway takes a plan key only from the authorizer', () => {
  const apis = Object.entries(template.findResources('AWS::ApiGateway::RestApi'));
  const [, api] = apis.find(([id]) => id.startsWith('ApiRest')) ?? [];
  expect(api?.Properties.ApiKeySourceType).toBe('AUTHORIZER');
});

test.each(['AWS::ApiGateway::ApiKey', 'AWS::ApiGateway::UsagePlanKey'])(
  'no two of the %s are made at once, which API Gateway refuses',
  (type) => {
    const waitsFor = new Map(
      Object.entries(template.findResources(type)).map(([id, { DependsOn = [] }]) => [
        id,
        [DependsOn].flat().find((other) => other in template.findResources(type)),
      ]),
    );
    const order: string[] = [];
    for (let id = [...waitsFor].find(([, other]) => other === undefined)?.[0]; id !== undefined; ) {
      order.push(id);
      id = [...waitsFor].find(([, other]) => other === order.at(-1))?.[0];
    }
    expect(order.toSorted()).toEqual([...waitsFor.keys()].sort());
    expect(order).toHaveLength(planKeyBuckets + sharePlanKeyBuckets);
  },
);

test('the gateway itself refuses malformed keys', () => {
  const [authorizer] = Object.values(template.findResources('AWS::ApiGateway::Authorizer'));
  expect(authorizer?.Properties).toMatchObject({
    Type: 'TOKEN',
    IdentitySource: 'method.request.header.X-API-KEY',
    AuthorizerResultTtlInSeconds: 60,
  });
  const expression = new RegExp(authorizer?.Properties.IdentityValidationExpression);
  expect(generateApiKey()).toMatch(expression);
  for (const text of ['', 'dls_short', `x${generateApiKey()}`, `${generateApiKey()} `]) {
    expect(text).not.toMatch(expression);
  }
});

test('the address at execute-api speaks TLS 1.2 at least', () => {
  template.hasResourceProperties('AWS::ApiGateway::RestApi', {
    SecurityPolicy: Match.stringLikeRegexp('^SecurityPolicy_TLS13_1_2_'),
    EndpointAccessMode: 'BASIC',
  });
});
