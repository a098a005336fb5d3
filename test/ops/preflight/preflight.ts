import { configOf } from '../../../lib/config.ts';
import { settingsOf } from '../../../lib/settings.ts';
import { type PreflightChoices, preflight } from '../../../ops/preflight/checks.ts';
import type { Plan } from '../../../ops/preflight/plan.ts';
import {
  type AwsResponse,
  answerProjects,
  awsError,
  describedStack,
  eachAwsDouble,
  topicWith,
} from '../../support/aws-double.ts';
import { withoutTraces } from '../../support/deployment.ts';
import { type IssuerDouble, startIssuer } from '../../support/issuer-double.ts';

/** A stage's templates are made once, because each takes half a second; other choices change none of their names. */
jest.doMock('../../../ops/preflight/plan.ts', () => {
  const { stagePlanOf }: typeof import('../../../ops/preflight/plan.ts') = jest.requireActual(
    '../../../ops/preflight/plan.ts',
  );
  const plans = new Map<string, Plan>();
  return {
    stagePlanOf: (context: PreflightChoices['context'], region: string) => {
      const config = configOf(settingsOf({ region, ...context }), region);
      const { stage = 'dev' } = context;
      const plan = plans.get(stage + region) ?? stagePlanOf({ stage }, region);
      plans.set(stage + region, plan);
      return { ...plan, config };
    },
  };
});

let traces: ReturnType<typeof withoutTraces>;

const stackOf = (version: string) => describedStack('CDKToolkit', { BootstrapVersion: version });
const distributions = (quantity: number) =>
  `<DistributionList xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Marker></Marker><MaxItems>1</MaxItems>
   <IsTruncated>false</IsTruncated><Quantity>${quantity}</Quantity></DistributionList>`;
const concurrency = (limit: number, unreserved = limit) => ({
  body: { AccountLimit: { ConcurrentExecutions: limit, UnreservedConcurrentExecutions: unreserved } },
});
const lambdaSettings = 'lambda:GET /2016-08-19/account-settings';
const cloudFrontList = 'cloudfront:GET /2020-05-31/distribution';

describe('preflight', () => {
  const aws = eachAwsDouble();
  beforeEach(() => {
    traces = withoutTraces();
    aws.answers.set('sts:GetCallerIdentity', () => ({
      body: `<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account>
      <Arn>arn:aws:iam::123456789012:user/ann</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`,
    }));
    aws.answers.set('cloudformation:DescribeStacks', () => ({ body: stackOf('21') }));
    aws.answers.set(lambdaSettings, () => concurrency(1000));
    aws.answers.set('cloudformation:GetTemplate', () => ({
      status: 400,
      body: awsError('ValidationError', 'Stack with id DynamicLinks-prod does not exist'),
    }));
    aws.answers.set(cloudFrontList, () => ({ body: distributions(1) }));
    aws.answers.set('freetier:GetAccountPlanState', () => ({ body: { accountPlanType: 'PAID' } }));
    aws.answers.set('monitoring:DescribeAlarms', () => ({ body: { MetricAlarms: [] } }));
  });
  afterEach(() => traces.restore());

  /** The account has this stack, or what else the answer is, and a bootstrap. */
  const stackIs = (answer: AwsResponse) =>
    aws.answers.set('cloudformation:DescribeStacks', ({ body }) =>
      body.includes('CDKToolkit') ? { body: stackOf('21') } : answer,
    );

  const findings = async (choices: Partial<PreflightChoices> = {}) =>
    Object.fromEntries(
      (await preflight({ region: 'eu-west-1', context: {}, ...choices })).map(({ name, result, says }) => [
        name,
        `${result}: ${says}`,
      ]),
    );

  const expectFindings = async (
    choices: Partial<PreflightChoices>,
    expected: Readonly<Record<string, string | RegExp>>,
  ) =>
    expect(await findings(choices)).toMatchObject(
      Object.fromEntries(
        Object.entries(expected).map(([name, says]) => [
          name,
          typeof says === 'string' ? says : expect.stringMatching(says),
        ]),
      ),
    );

  test('an account that is ready', async () => {
    const runbookUrl = 'https://wiki.example.com/runbook';
    expect(await findings({ context: { runbookUrl } })).toEqual({
      'choices and region': 'ok: eu-west-1; the choices are valid',
      runbook: expect.stringMatching(/^ok: /),
      identity: 'ok: account 123456789012, as arn:aws:iam::123456789012:user/ann',
      'CDK bootstrap in eu-west-1': 'ok: version 21',
      'Lambda concurrent executions': 'ok: 1000',
      CloudFront: 'ok: the account has distributions',
      'account plan': 'ok: the account stays',
    });
  });

  test("an account on AWS's Free plan isn't fit for prod", async () => {
    aws.answers.set('freetier:GetAccountPlanState', () => ({
      body: { accountPlanType: 'FREE', accountPlanExpirationDate: 1_798_761_600 },
    }));
    const says = 'AWS closes accounts on its Free plan on 2027-01-01, or when their credits are used';
    await expectFindings({}, { 'account plan': new RegExp(`^look: ${says}`) });
    await expectFindings({ context: { stage: 'prod' } }, { 'account plan': new RegExp(`^do: ${says}`) });
    const older = { status: 400, body: { __type: 'ResourceNotFoundException' } };
    aws.answers.set('freetier:GetAccountPlanState', () => older);
    await expectFindings({}, { 'account plan': /^ok: / });
    aws.answers.delete('freetier:GetAccountPlanState');
    await expectFindings({}, { 'account plan': /^look: .*AccessDenied/ });
  });

  test('a whole quota without a share for visitors', async () => {
    const name = 'Lambda concurrent executions';
    const inProd = async (context: PreflightChoices['context']) =>
      (await findings({ context: { stage: 'prod', ...context } }))[name];
    expect(await inProd({})).toMatch(/^look: 1000, and none is reserved: a flood of API calls/);
    // 444, four quarters of that, ten for the webhook sender, and a hundred that stay free.
    expect(await inProd({ reservedConcurrency: '444' })).toBe('ok: 1000');
    expect(await inProd({ reservedConcurrency: '445' })).toMatch(
      /^do: reservedConcurrency=445 reserves 903 in all, and 900 of the account's 1000 are left for it: ask for 1003 /,
    );
    // Three quarters, and 25 key lookups.
    aws.answers.set(lambdaSettings, () => concurrency(1000, 157));
    expect(await inProd({ reservedConcurrency: '12' })).toBe('ok: 1000');
    aws.answers.set(lambdaSettings, () => concurrency(1000, 155));
    expect(await inProd({ reservedConcurrency: '12' })).toMatch(/ reserves 56 in all, and 55 /);
    // The stack's own reservations become free again, but not those of others.
    const template = JSON.stringify({
      Resources: { Redirect: { Properties: { ReservedConcurrentExecutions: 400 } }, Table: {} },
    });
    aws.answers.set('cloudformation:GetTemplate', () => ({
      body: `<GetTemplateResponse><GetTemplateResult><TemplateBody>${template}</TemplateBody></GetTemplateResult></GetTemplateResponse>`,
    }));
    aws.answers.set(lambdaSettings, () => concurrency(1000, 500));
    expect(await inProd({ reservedConcurrency: '392' })).toBe('ok: 1000');
    expect(await inProd({ reservedConcurrency: '395' })).toMatch(/^do: .*reserves 801 in all, and 800 /);
  });

  describe('receivers of alarms, and certificates', () => {
    const arn = (region: string) => `arn:aws:sns:${region}:123456789012:Topic`;
    beforeEach(() => {
      aws.answers.set('monitoring:DescribeAlarms', ({ body, region }) => {
        const AlarmName = `${JSON.parse(body).AlarmNamePrefix}MonitoringX`;
        return { body: { MetricAlarms: [{ AlarmName, AlarmActions: [arn(region)] }] } };
      });
    });

    test('an unconfirmed subscription is found in both regions', async () => {
      aws.answers.set('sns:GetTopicAttributes', topicWith(0, 1));
      const found = await findings({ context: { stage: 'prod' } });
      expect(found['alarms of eu-west-1']).toMatch(
        /^do: confirm the subscription in the email .*:eu-west-1:/,
      );
      expect(found['alarms of us-east-1']).toMatch(/^do: /);
      const prefixes = aws.calls.flatMap(({ operation, body, region }) =>
        operation === 'DescribeAlarms' ? [`${region} ${JSON.parse(body).AlarmNamePrefix}`] : [],
      );
      expect(prefixes.sort()).toEqual([
        'eu-west-1 DynamicLinks-prod-',
        'us-east-1 DynamicLinksEdge-prod-eu-west-1-',
        'us-east-1 DynamicLinksEdgeAlarms-prod-eu-west-1-',
      ]);
      aws.answers.set('sns:GetTopicAttributes', topicWith(1, 1));
      await expectFindings({}, { 'alarms of eu-west-1': 'ok: the topic has a confirmed subscription' });
      aws.answers.set('sns:GetTopicAttributes', topicWith(0, 0));
      await expectFindings({}, { 'alarms of eu-west-1': /^look: arn:\S+ has no subscription$/ });
    });

    test('a given certificate that ends within three weeks is to be renewed', async () => {
      aws.answers.set('sns:GetTopicAttributes', topicWith(1, 0));
      const context = {
        apiDomain: 'api.example.com',
        apiCertificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/abc',
      };
      const withDays = async (Values: number[]) => {
        aws.answers.set('monitoring:GetMetricData', () => ({
          body: { MetricDataResults: [{ Id: 'days', Values, Timestamps: [] }] },
        }));
        return (await findings({ context }))['certificate abc'];
      };
      expect(await withDays([21, 20])).toBe('do: 20 days are left: renew it');
      expect(await withDays([22, 21])).toBe('ok: 21 days are left');
      expect(await withDays([])).toMatch(/^look: /);
    });
  });

  describe('with a second region', () => {
    const inProd = { stage: 'prod', region: 'eu-west-1', standby: 'eu-central-1' };

    test('its stack and its bootstrap are checked', () => {
      const { stagePlanOf }: typeof import('../../../ops/preflight/plan.ts') = jest.requireActual(
        '../../../ops/preflight/plan.ts',
      );
      const { bootstraps, stacks } = stagePlanOf(inProd, 'eu-west-1');
      expect(Object.keys(bootstraps)).toEqual(['eu-west-1', 'us-east-1', 'eu-central-1']);
      expect(stacks).toContainEqual({ name: 'DynamicLinks-prod-standby', region: 'eu-central-1' });
      const other = stagePlanOf(inProd, 'eu-west-1', 'acme-links').stacks;
      expect(other).toContainEqual({ name: 'acme-links-standby', region: 'eu-central-1' });
    });

    test('its concurrency is checked, and us-east-1 is a poor choice for either', async () => {
      aws.answers.set(lambdaSettings, ({ region }) => concurrency(region === 'eu-central-1' ? 10 : 1000));
      await expectFindings(
        { context: inProd },
        {
          'the two regions': 'ok: eu-west-1 and eu-central-1',
          'Lambda concurrent executions': /^look: 1000, /,
          'Lambda concurrent executions in eu-central-1': /^do: 10: .*Service Quotas of eu-central-1/,
        },
      );
      const poor = /^look: us-east-1 has the control planes of CloudFront, .*Choose two other regions/;
      for (const other of [{ standby: 'us-east-1' }, { region: 'us-east-1' }]) {
        const context = { ...inProd, ...other };
        await expectFindings({ region: context.region, context }, { 'the two regions': poor });
      }
    });

    test('before a launch, both tables and both quotas are checked', async () => {
      answerProjects(aws, { isSettled: true });
      aws.answers.set('cloudformation:DescribeStacks', ({ body, region }) => {
        if (body.includes('CDKToolkit')) return { body: stackOf('21') };
        const ofSecond = region === 'eu-central-1' && body.includes('DynamicLinks-prod-standby');
        return { body: describedStack('S', ofSecond ? { CopyTableName: 'copy' } : { TableName: 'table' }) };
      });
      aws.answers.set('dynamodb:DescribeTable', ({ region }) => {
        const units = region === 'eu-central-1' ? 4000 : 12_000;
        return {
          body: { Table: { WarmThroughput: { ReadUnitsPerSecond: units, WriteUnitsPerSecond: units } } },
        };
      });
      const rampThere = "Lambda's ramp in eu-central-1";
      const choices = { context: { ...inProd, reservedConcurrency: '444' }, visits: 4440 };
      expect(await findings(choices)).not.toHaveProperty([rampThere]);
      await expectFindings(choices, {
        'the table': /^ok: takes 12000 reads/,
        'the table in eu-central-1': /^do: takes 4000 reads/,
        'Lambda for 4440 visits a second in eu-central-1': /^ok: 1000 concurrent executions/,
      });
      const famous = { context: inProd, visits: 20_000 };
      await expectFindings(famous, { [rampThere]: /^look: .* get Lambda's 429$/ });
    });
  });

  test('a table that refuses calls above its capacity', async () => {
    const capacity = /^look: the table throttles above 500 reads and 1500 writes a second/;
    await expectFindings({ context: { capacity: 'provisioned:500,1500' } }, { capacity });
  });

  describe('where members sign in', () => {
    let issuer: IssuerDouble;
    beforeAll(async () => {
      issuer = await startIssuer('links');
    });
    afterAll(() => issuer.stop());
    const names = ['identity provider', 'client secret', 'redirect address'];
    const found = async (more: Record<string, string> = {}) => {
      const signIn = { signIn: issuer.issuer, signInClient: 'links', signInSecret: 'links-sign-in' };
      const all = await findings({ context: { ...signIn, ...more } });
      return names.map((name) => all[name]);
    };
    const registered = 'https://x.example.com/dev/console/callback';
    beforeEach(() => {
      issuer.reset();
      aws.answers.set('secretsmanager:GetSecretValue', () => ({ body: { SecretString: 'secret' } }));
      stackIs({ body: describedStack('DynamicLinks-dev', { SignInRedirect: registered }) });
      issuer.behavior.meddle = (asked, response) => {
        if (asked !== '/authorize') return false;
        response.writeHead(302, { location: `${registered}?error=login_required` }).end();
        return true;
      };
    });

    test('the issuer, its secret and the registered address are there', async () => {
      expect(await found()).toEqual([
        `ok: ${issuer.issuer}`,
        'ok: links-sign-in is there',
        `ok: the issuer accepts ${registered}`,
      ]);
    });

    test('an issuer that lies, a secret in JSON and an unknown address are found', async () => {
      issuer.behavior = {
        ...issuer.behavior,
        metadata: { issuer: 'https://evil.example.com' },
        meddle: undefined,
      };
      aws.answers.set('secretsmanager:GetSecretValue', () => ({ body: { SecretString: '{"secret":"x"}' } }));
      expect(await found()).toEqual([
        expect.stringMatching(/^do: .* states the issuer https:\/\/evil\.example\.com, not/),
        expect.stringMatching(/^do: the whole text of links-sign-in must be the secret itself/),
        `look: register ${registered} with the issuer`,
      ]);
      issuer.behavior.metadata = { token_endpoint: undefined, jwks_uri: '' };
      expect((await found())[0]).toMatch(/^do: .* names no token_endpoint and no jwks_uri/);
      issuer.behavior.metadata = {};
      expect((await found())[2]).toBe(
        `look: register ${registered} with the issuer, if it isn't yet: the issuer doesn't show it`,
      );
    });

    test('an issuer whose signatures the service cannot verify is found, with their algorithms', async () => {
      issuer.behavior.metadata = { id_token_signing_alg_values_supported: ['HS256', 'none'] };
      const [says] = await found();
      expect(says).toMatch(/^do: .* signs ID tokens with HS256, none; the service accepts RS256, .*EdDSA$/);
      issuer.behavior.metadata = { id_token_signing_alg_values_supported: undefined };
      expect((await found())[0]).toBe(`ok: ${issuer.issuer}`);
    });

    test('before the first deployment, or with an issuer that is away, the rest is checked', async () => {
      stackIs({ status: 400, body: awsError('ValidationError', 'Stack does not exist') });
      expect(await found({ signIn: 'http://127.0.0.1:9' })).toEqual([
        expect.stringMatching(/^do: http:\/\/127\.0\.0\.1:9 does not answer/),
        'ok: links-sign-in is there',
        'look: deploy DynamicLinks-dev first, then register its output SignInRedirect with the issuer',
      ]);
    });
  });

  test('a brand-new account', async () => {
    aws.answers.set(lambdaSettings, () => concurrency(10));
    aws.answers.set(cloudFrontList, () => ({ body: distributions(0) }));
    const found = await findings();
    expect(found['Lambda concurrent executions']).toMatch(/^do: 10: .*Service Quotas of eu-west-1/);
    expect(found.CloudFront).toMatch(/^look: .*Your account must be verified/);
  });

  test('prod also needs a bootstrap in us-east-1, and an old one must be renewed', async () => {
    aws.answers.set('cloudformation:DescribeStacks', ({ region }) =>
      region === 'us-east-1'
        ? { status: 400, body: awsError('ValidationError', 'Stack with id CDKToolkit does not exist') }
        : { body: stackOf('3') },
    );
    await expectFindings(
      { context: { stage: 'prod' } },
      {
        'CDK bootstrap in us-east-1': "do: run 'npx cdk bootstrap aws://123456789012/us-east-1'",
        'CDK bootstrap in eu-west-1': /^do: version 3 is older than \d+: run 'npx cdk bootstrap/,
      },
    );
  });

  test('without a region, the checks that need none are made', async () => {
    const found = await findings({ region: undefined });
    expect(Object.keys(found)).toEqual(['region', 'identity', 'CloudFront']);
    expect(found.region).toBe(
      'do: give --region NAME, -c region=NAME or set AWS_REGION; then the rest can be checked',
    );
    expect(found.identity).toMatch(/^ok: account 123456789012/);
  });

  test('without valid credentials nothing else is checked', async () => {
    aws.answers.set('sts:GetCallerIdentity', () => ({
      status: 403,
      body: awsError('InvalidClientTokenId', 'The security token is invalid'),
    }));
    const found = await findings();
    expect(Object.keys(found)).toEqual(['identity']);
    expect(found.identity).toMatch(/^do: Sign in first .*The security token is invalid/);
  });

  test('a forbidden check is a finding', async () => {
    aws.answers.delete(lambdaSettings);
    await expectFindings({}, { 'Lambda concurrent executions': /^do: / });
  });

  test('a setting that the app refuses is reported in its words', async () => {
    const says = /^do: rateLimitPerHour must be a whole number/;
    await expectFindings({ context: { rateLimitPerHour: 'many' } }, { 'choices and region': says });
  });

  test('with analytics of 1.0.0, 1.2 is to be deployed first', async () => {
    stackIs({ body: describedStack('DynamicLinks-dev', { TableName: 'table-name' }) });
    answerProjects(aws, { isSettled: false });
    const says = /^do: The table has analytics of 1\.0\.0: deploy 1\.2 first/;
    await expectFindings({}, { 'analytics of 1.0.0': says });
    answerProjects(aws, { isSettled: true });
    await expectFindings({}, { 'analytics of 1.0.0': 'ok: there are none' });
  });

  describe('before a launch', () => {
    const outputs = { RedirectFunction: 'redirect-name', TableName: 'table-name' };
    const warm = (reads: number, writes: number) => () => ({
      body: { Table: { WarmThroughput: { ReadUnitsPerSecond: reads, WriteUnitsPerSecond: writes } } },
    });
    const provisioned = 'lambda:GET /2019-09-30/functions/redirect-name/provisioned-concurrency';
    const inProd = { stage: 'prod' };
    const famous = { context: inProd, visits: 50_000 };

    beforeEach(() => {
      answerProjects(aws, { isSettled: true });
      stackIs({ body: describedStack('DynamicLinks-prod', outputs) });
      aws.answers.set('dynamodb:DescribeTable', warm(12_000, 4000));
      aws.answers.set(provisioned, () => ({
        status: 404,
        headers: { 'x-amzn-errortype': 'ProvisionedConcurrencyConfigNotFoundException' },
        body: { message: 'No Provisioned Concurrency Config found for this function' },
      }));
    });

    test('50,000 visits a second need five thousand environments, a warm table and a generous firewall', async () => {
      await expectFindings(famous, {
        'Lambda for 50000 visits a second': /^do: 1000 concurrent executions; ask for 7500 /,
        "Lambda's ramp":
          /^do: 0 environments .*--function-name redirect-name --qualifier live --provisioned-concurrent-executions 5000'/,
        'the table': /^do: takes 12000 reads .*warmThroughput=50000,50000 /,
        "the short URLs' firewall": /^look: .*visitsPerAddress=150000/,
        'the link': /link prepare CODE --project ID --visits 50000 /,
      });
    });

    test('ready parts are reported', async () => {
      aws.answers.set(lambdaSettings, () => concurrency(7500));
      aws.answers.set('dynamodb:DescribeTable', warm(150_000, 50_000));
      aws.answers.set(provisioned, () => ({ body: { AvailableProvisionedConcurrentExecutions: 5000 } }));
      const context = { ...inProd, visitsPerAddress: '150000' };
      const ready = [
        'Lambda for 50000 visits a second',
        "Lambda's ramp",
        'the table',
        "the short URLs' firewall",
      ];
      const allOk = Object.fromEntries(ready.map((name) => [name, /^ok:/]));
      await expectFindings({ context, visits: 50_000 }, allOk);
    });

    test('a provisioned table refuses a launch that it is too small for', async () => {
      aws.answers.set('dynamodb:DescribeTable', warm(150_000, 50_000));
      const of = async (capacity: string) =>
        (await findings({ context: { ...inProd, capacity }, visits: 3000 }))['the table'];
      expect(await of('provisioned:4000,2999')).toMatch(
        /^do: provides 4000 reads and 2999 writes .*capacity=on-demand/,
      );
      expect(await of('provisioned:4000,3000')).toMatch(/^ok: /);
    });

    test('few visits need neither environments that wait nor more than a new account has', async () => {
      const ready = { "Lambda's ramp": /^ok: /, 'the table': /^ok: / };
      await expectFindings({ context: inProd, visits: 3000 }, ready);
    });

    test("the checks don't list the resources of the stack, because AWS returns only a hundred", async () => {
      await findings(famous);
      const operations = aws.calls.map(({ operation }) => operation);
      expect(operations.filter((one) => /StackResource/.test(one))).toEqual([]);
      expect(aws.calls.find(({ operation }) => operation === 'DescribeTable')?.body).toContain('table-name');
    });

    const lambda = async (context: PreflightChoices['context'], visits = 50_000) =>
      (await findings({ context: { ...inProd, ...context }, visits }))[
        `Lambda for ${visits} visits a second`
      ];

    test('reserved concurrency caps the redirect, whatever the account has', async () => {
      aws.answers.set(lambdaSettings, () => concurrency(20_000));
      expect(await lambda({ reservedConcurrency: '400' })).toMatch(
        /^do: reservedConcurrency=400 .*deploy with reservedConcurrency=5000, or without it$/,
      );
      expect(await lambda({ reservedConcurrency: '5000' })).toBe(
        'ok: 5000 concurrent executions are reserved for the redirect',
      );
    });

    test("the account's concurrency excludes other functions' reservations", async () => {
      aws.answers.set(lambdaSettings, () => concurrency(10_000, 7000));
      expect(await lambda({})).toMatch(/^do: 7000 concurrent executions; ask for 10500 /);
      aws.answers.set(lambdaSettings, () => concurrency(10_500, 7500));
      expect(await lambda({})).toBe('ok: 7500 concurrent executions');
    });

    test('environments can wait only behind an alias, which dev has not', async () => {
      await expectFindings({ visits: 50_000 }, { "Lambda's ramp": /^do: deploy with like=prod/ });
    });

    test('a stack that is not there, or an earlier one, has to be deployed first', async () => {
      const first = 'do: deploy DynamicLinks-prod first';
      const earlier = { body: describedStack('DynamicLinks-prod', { TableName: 'table-name' }) };
      aws.answers.set('cloudformation:DescribeStacks', () => earlier);
      await expectFindings(famous, { "Lambda's ramp": first, 'the table': /^do: takes/ });
      aws.answers.delete('cloudformation:DescribeStacks');
      await expectFindings(famous, { "Lambda's ramp": first, 'the table': first });
    });
  });
});
