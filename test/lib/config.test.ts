import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Token } from 'aws-cdk-lib';
import { configOf } from '../../lib/config.ts';
import { settingsOf } from '../../lib/settings.ts';
import { readStageFile } from '../../lib/stage-file.ts';

const read = (context: Record<string, string>, cliRegion?: string) =>
  configOf(settingsOf(context), cliRegion);

const certificateIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/abc`;
const shortDomain = 'go.example.com';
/** A symbolic link to itself. */
const loop = path.join(mkdtempSync(path.join(tmpdir(), 'logo-')), 'loop');
symlinkSync(loop, loop);
afterAll(() => rmSync(path.dirname(loop), { recursive: true }));
const streamArn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/restored/stream/2026-11-21T00:00:00.000';

test('everything is optional', () => {
  expect(read({})).toEqual({
    stage: 'dev',
    like: 'dev',
    edgeFirewall: false,
    apiFirewall: false,
    rateLimitPerHour: 180_000,
    callsPerSecond: 10_000,
    uniqueWindowDays: 90,
    figuresWithin: 2,
    historyDays: 400,
    logRetentionDays: 30,
    waf: false,
    runbookUrl: 'docs/runbook.md',
    visitsPerAddress: 10_000,
  });
});

test('a console has any name, and a logo by a relative or an absolute path', () => {
  const consoleLogo = path.join(import.meta.dirname, '../../console/icon.svg');
  for (const logo of [consoleLogo, 'console/icon.svg']) {
    const given = { consoleName: 'Müller & Söhne 👋', consoleLogo: logo };
    expect(read(given)).toMatchObject(given);
  }
});

test('regions in which accounts get fewer calls have a lower default', () => {
  for (const region of ['af-south-1', 'ap-southeast-3', 'eu-south-1', 'mx-central-1'])
    expect([region, read({ region }).callsPerSecond]).toEqual([region, 2500]);
  expect(read({ region: 'eu-south-1', callsPerSecond: '9000' }).callsPerSecond).toBe(9000);
  expect(read({ region: 'eu-west-1' }).callsPerSecond).toBe(10_000);
});

test('a custom domain needs a certificate, or a hosted zone to create one', () => {
  const certificateArn = certificateIn('us-east-1');
  expect(read({ shortDomain, shortCertificateArn: certificateArn }).short).toEqual({
    name: shortDomain,
    certificateArn,
  });
  expect(read({ shortDomain, shortHostedZoneId: 'Z123' }).short).toEqual({
    name: shortDomain,
    hostedZoneId: 'Z123',
  });
});

test('prod has a firewall by default, dev only with waf=on', () => {
  expect(read({ stage: 'prod' }).waf).toBe(true);
  expect(read({ stage: 'prod', waf: 'off' }).waf).toBe(false);
  expect(read({ waf: 'on' }).waf).toBe(true);
});

test('a stage has any name, and is treated as prod only if it is prod or like it', () => {
  expect(read({ stage: 'staging-2' })).toMatchObject({ stage: 'staging-2', like: 'dev', waf: false });
  const inProd = { like: 'prod', waf: true, region: 'us-east-1' };
  expect(read({ stage: 'prod' })).toMatchObject({ stage: 'prod', ...inProd });
  expect(read({ stage: 'staging', like: 'prod' })).toMatchObject({ stage: 'staging', ...inProd });
  expect(read({ stage: 'prod', like: 'dev' })).toMatchObject({ stage: 'prod', like: 'dev', waf: false });
});

test('the region is set only if stacks refer to each other', () => {
  expect(read({}, 'eu-west-1').region).toBeUndefined();
  expect(read({ stage: 'prod' }, 'eu-west-1').region).toBe('eu-west-1');
  expect(read({ stage: 'prod' }).region).toBe('us-east-1');
  expect(read({ stage: 'prod', waf: 'off' }).region).toBe('us-east-1');
  expect(read({ stage: 'prod', region: 'ap-south-1' }, 'eu-west-1').region).toBe('ap-south-1');
});

test('links of a project are limited only if the operator sets a limit', () => {
  expect(read({ linksPerProject: '1' }).linksPerProject).toBe(1);
  for (const linksPerProject of ['0', '-1', 'many'])
    expect(() => read({ linksPerProject })).toThrow('linksPerProject must be a whole number from 1');
});

test('an abuse contact is a web page or an email address', () => {
  for (const abuseContact of ['https://example.com/abuse?from=link', 'mailto:abuse@example.com']) {
    expect(read({ abuseContact }).abuseContact).toBe(abuseContact);
  }
});

test('analytics are kept for ever, or for a number of days', () => {
  expect(read({}).figuresRetentionDays).toBeUndefined();
  expect(read({ figuresRetentionDays: '400' }).figuresRetentionDays).toBe(400);
});

test('clicks are exported with export=on', () => {
  expect(read({ export: 'on' }).export).toBe(true);
  expect(read({ export: 'off' }).export).toBe(false);
  expect(() => read({ export: 'yes' })).toThrow("export must be on or off, not 'yes'");
});

test('further hosts need the zone of the short domain, or their own certificate', () => {
  const inZone = { shortDomain, shortHostedZoneId: 'Z123', shortAliases: 'qr.example.com, example.com' };
  expect(read(inZone).shortAliases).toEqual(['qr.example.com', 'example.com']);
  const given = { shortDomain, shortCertificateArn: certificateIn('us-east-1'), shortAliases: 'go.acme.com' };
  expect(read(given).shortAliases).toEqual(['go.acme.com']);
  expect(read({}).shortAliases).toBeUndefined();
});

test('settings may come as values, which are checked like texts', () => {
  const shortAliases = ['qr.example.com'];
  const settings = { waf: true, uniqueWindowDays: 30, shortDomain, shortHostedZoneId: 'Z123', shortAliases };
  expect(configOf(settings)).toMatchObject({ waf: true, uniqueWindowDays: 30, shortAliases });
  expect(() => configOf({ uniqueWindowDays: 1.5 })).toThrow(/^uniqueWindowDays must be a whole number/);
  expect(() => configOf({ ...settings, shortAliases: ['QR'] })).toThrow(/^shortAliases must be host names/);
});

test('values of another stack are only known at deployment, and pass', () => {
  const shortCertificateArn = Token.asString({ Ref: 'Certificate' });
  expect(configOf({ shortDomain, shortCertificateArn }).short).toMatchObject({
    certificateArn: shortCertificateArn,
  });
});

test('the throughput of a table of the stack can be warmed', () => {
  expect(read({ warmThroughput: '150000, 50000' }).warmThroughput).toEqual([150_000, 50_000]);
  expect(configOf({ warmThroughput: [12_000, 4_000] }).warmThroughput).toEqual([12_000, 4_000]);
  const adopted = { tableName: 'restored', tableStreamArn: streamArn, warmThroughput: '12000,4000' };
  expect(() => read(adopted)).toThrow(/^warmThroughput is for a table of the stack/);
});

test('a table of the stack is paid for by request, or for its provided capacity', () => {
  expect(read({ capacity: 'on-demand' }).capacity).toBe('on-demand');
  const capacity = { reads: 500, writes: 1500 };
  expect(read({ capacity: 'provisioned:500,1500' }).capacity).toEqual(capacity);
  expect(configOf({ capacity }).capacity).toEqual(capacity);
  const adopted = { tableName: 'restored', tableStreamArn: streamArn, capacity: 'on-demand' };
  expect(() => read(adopted)).toThrow(/^capacity is for a table of the stack/);
  const warm = { capacity: 'provisioned:500,5000', warmThroughput: '12000,4000' };
  expect(() => read(warm)).toThrow(/^warmThroughput must be at least/);
  expect(read({ ...warm, warmThroughput: '12000,5000' }).capacity).toEqual({ reads: 500, writes: 5000 });
});

test('a table is adopted by its name and stream', () => {
  expect(read({ tableName: 'restored', tableStreamArn: streamArn }).adopted).toEqual({
    name: 'restored',
    streamArn,
  });
});

describe("a stage's file", () => {
  const readWith = (context: Record<string, string>, stated: Record<string, string>) =>
    configOf(settingsOf(context, (stage) => (stage === 'prod' ? stated : {})));

  test('has the settings of its stage, and flags override it', () => {
    const stated = { alarmEmail: 'ops@example.com', logRetentionDays: '90' };
    expect(readWith({ stage: 'prod' }, stated)).toMatchObject({
      alarmEmail: 'ops@example.com',
      logRetentionDays: 90,
    });
    expect(readWith({ stage: 'prod', logRetentionDays: '7' }, stated).logRetentionDays).toBe(7);
    expect(readWith({}, stated).alarmEmail).toBeUndefined();
  });

  test('has the same keys as the context', () => {
    expect(() => readWith({ stage: 'prod' }, { alarmMail: 'a@example.com' })).toThrow(
      /^alarmMail is not a context/,
    );
  });

  const written = (text: string): string => {
    const folder = mkdtempSync(path.join(tmpdir(), 'stage-'));
    writeFileSync(path.join(folder, 'prod.json'), text);
    return folder;
  };

  test('may hold strings, numbers and lists', () => {
    const folder = written('{"logRetentionDays": 90, "shortAliases": ["a.example.com", "b.example.com"]}');
    expect(readStageFile('prod', folder)).toEqual({
      logRetentionDays: '90',
      shortAliases: 'a.example.com,b.example.com',
    });
    expect(readStageFile('dev', folder)).toEqual({});
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['{', /^deployments\/prod.json is not valid JSON/],
    ['[]', /^deployments\/prod.json must be an object/],
    ['{"waf": null}', /^deployments\/prod.json: waf must be a text/],
  ])('with %s is refused with its name', (text, message) => {
    const folder = written(text);
    expect(() => readStageFile('prod', folder)).toThrow(message);
    rmSync(folder, { recursive: true });
  });
});

/** As docs/deploy.md lists them, and one of each partition. */
const refusedRegions = [
  ...['ap-east-2', 'ap-south-2', 'ap-southeast-4', 'ap-southeast-5', 'ap-southeast-6', 'ap-southeast-7'],
  ...['ca-west-1', 'eu-central-2', 'eu-south-2', 'il-central-1', 'me-central-1'],
  ...['cn-north-1', 'us-gov-west-1'],
];

test.each(refusedRegions)('%s is refused before a deployment, wherever it is set', (region) => {
  expect(() => read({ region })).toThrow(new RegExp(`^region ${region} `));
  expect(() => read({}, region)).toThrow(new RegExp(`^region ${region} `));
  expect(read({ region: 'eu-west-1' }, region).region).toBe('eu-west-1');
});

test.each<[Record<string, string>, RegExp]>([
  [{ shortAliases: 'qr.example.com' }, /^shortAliases are further hosts beside shortDomain/],
  [
    { shortDomain, shortHostedZoneId: 'Z123', shortAliases: 'go.acme.com' },
    /^shortAliases has go.acme.com outside/,
  ],
  [
    { shortDomain, shortHostedZoneId: 'Z123', shortAliases: shortDomain },
    /^shortAliases name go.example.com twice/,
  ],
  [
    { shortDomain, shortHostedZoneId: 'Z123', shortAliases: 'qr.example.com,qr.example.com' },
    /^shortAliases name qr.example.com twice/,
  ],
  [{ shortDomain, shortHostedZoneId: 'Z123', shortAliases: 'QR' }, /^shortAliases must be host names/],
  [{ ownHosts: 'all' }, /^ownHosts must be aliases or tenants/],
  [{ tableName: 'restored' }, /^tableName and tableStreamArn go together/],
  [{ abuseContact: 'http://example.com' }, /^abuseContact must be an https or mailto address/],
  [{ abuseContact: 'abuse@example.com' }, /^abuseContact must be an https or mailto address/],
  [{ abuseContact: 'mailto:abuse' }, /^abuseContact must be an https or mailto address/],
  [{ abuseContact: 'https://example.com/"><script>' }, /^abuseContact must be an https or mailto address/],
  [{ abuseContact: 'mailto:a@example.com\nContact: x' }, /^abuseContact must be an https or mailto address/],
  [
    { abuseContact: `https://example.com/${'a'.repeat(481)}` },
    /^abuseContact must be .* of at most 500 characters/,
  ],
  [{ callsPerSecond: '0' }, /^callsPerSecond must be a whole number from 20/],
  [{ reservedConcurrency: 'all' }, /^reservedConcurrency must be a whole number from 10/],
  [{ visitsPerAddress: '9' }, /^visitsPerAddress must be a whole number from 10/],
  [{ warmThroughput: '12000' }, /^warmThroughput must be two whole numbers from 12000,4000 on, not '12000'$/],
  [{ warmThroughput: '11999,4000' }, /^warmThroughput must be two/],
  [{ warmThroughput: '12000,3999' }, /^warmThroughput must be two/],
  [
    { capacity: 'provisioned' },
    /^capacity must be on-demand, or provisioned: with reads and writes a second/,
  ],
  [{ capacity: 'provisioned:0,10' }, /^capacity must be/],
  [{ capacity: 'provisioned:10' }, /^capacity must be/],
  [{ figuresWithin: '5' }, /^figuresWithin must be one of 2, 10, 60, 300, not '5'$/],
  [{ monthlyBudget: '0' }, /^monthlyBudget must be an amount of US dollars above 0/],
  [{ monthlyBudget: '$5' }, /^monthlyBudget must be an amount of US dollars above 0/],
  [{ consoleName: 'x'.repeat(41) }, /^consoleName must be 1 to 40 characters without control/],
  [{ consoleName: ' ' }, /^consoleName must be 1 to 40 characters/],
  [{ consoleName: 'A\nB' }, /^consoleName must be 1 to 40 characters/],
  ...['package.json', 'package-lock.json', 'console', 'console/none.svg', loop].map(
    (file): [Record<string, string>, RegExp] => [
      { consoleLogo: file },
      new RegExp(`^consoleLogo must be a PNG, SVG or JPEG file of at most 20 KB, not '${file}'$`),
    ],
  ),
  [{ figuresRetentionDays: '0' }, /^figuresRetentionDays must be a whole number from 1/],
  [{ figuresRetentionDays: '1.5' }, /^figuresRetentionDays must be a whole number from 1/],
  [{ stage: 'Test' }, /^stage must be a name of 1 to 40 of a-z, 0-9 and -, not 'Test'$/],
  [{ stage: '../prod' }, /^stage must be a name/],
  [{ like: 'staging' }, /^like must be dev or prod, not 'staging'$/],
  [{ waf: 'yes' }, /^waf must be on or off/],
  [{ region: 'Ireland' }, /^region must be an AWS region/],
  [{ standby: 'eu-west-1' }, /^standby needs region, the service's own/],
  [{ standby: 'eu-west-1', region: 'eu-west-1' }, /^standby must be another region than eu-west-1/],
  [{ standby: 'Ireland', region: 'eu-west-1' }, /^standby must be an AWS region/],
  [{ standby: 'eu-west-9', region: 'eu-west-1' }, /^standby eu-west-9 is no AWS region/],
  [{ standby: 'eu-south-2', region: 'eu-west-1' }, /^standby eu-south-2 has no Lambda function URLs/],
  [{ standby: 'cn-north-1', region: 'eu-west-1' }, /^standby cn-north-1 is in a partition/],
  [{ standby: 'us-gov-west-1', region: 'eu-west-1' }, /^standby us-gov-west-1 is in a partition/],
  [{ rateLimitPerHour: '0' }, /^rateLimitPerHour must be a whole number from 1/],
  [{ rateLimitPerHour: '1.5' }, /^rateLimitPerHour/],
  [{ uniqueWindowDays: 'many' }, /^uniqueWindowDays/],
  [{ logRetentionDays: '31' }, /^logRetentionDays must be one of 1, 3, 5/],
  [{ alarmEmail: 'nobody' }, /^alarmEmail must be an email address/],
  [{ alarmEmial: 'a@example.com' }, /^alarmEmial is not a context key of this app; the keys are stage, /],
  [{ runbookUrl: 'wiki' }, /^runbookUrl must be an https address/],
  [{ shortDomain }, /^shortDomain needs shortCertificateArn, or shortHostedZoneId/],
  [{ apiHostedZoneId: 'Z123' }, /mean nothing without apiDomain$/],
  [
    { shortDomain, shortHostedZoneId: 'example.com' },
    /^shortHostedZoneId must be a Route 53 hosted zone's id/,
  ],
  [
    { apiDomain: 'https://api.example.com', apiCertificateArn: certificateIn('us-east-1') },
    /^apiDomain must be a host name/,
  ],
  [{ shortDomain, shortCertificateArn: 'nonsense' }, /^shortCertificateArn must be the ARN/],
  [{ shortDomain, shortCertificateArn: certificateIn('eu-west-1') }, /^shortCertificateArn .* in us-east-1/],
  [
    { apiDomain: 'api.example.com', apiCertificateArn: certificateIn('us-east-1'), region: 'eu-west-1' },
    /^apiCertificateArn must be a certificate in eu-west-1/,
  ],
])('refuses %j in one line', (context, message) => {
  expect(() => read(context)).toThrow(message);
});

describe('sign-in of members', () => {
  const signInClient = 'links';

  test.each([
    'https://accounts.google.com',
    'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0',
    'https://id.example.com/common',
    'http://127.0.0.1:9000',
    'http://localhost:9000/issuer/',
  ])('takes %s', (signIn) => {
    expect(read({ signIn, signInClient })).toMatchObject({ signIn, signInClient });
  });

  test.each([
    'http://id.example.com',
    'http://127.0.0.1.example.com',
    'https://id.example.com/?a=b',
    'https://id.example.com/#a',
    'https://ann:secret@id.example.com',
    'id.example.com',
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/Organizations/v2.0',
    'https://LOGIN.microsoftonline.com/consumers/v2.0',
    'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    'https://login.microsoftonline.us/common/v2.0',
    'https://sts.windows.net/common/',
  ])('refuses %s, by which anybody could bring an address or read one', (signIn) => {
    expect(() => read({ signIn, signInClient })).toThrow(/^signIn must be an https address/);
  });

  test.each(['https://id.example.com', 'https://id.example.com/realms/shop'])(
    'refuses the address of the discovery document of %s, and names the issuer',
    (issuer) => {
      const discovery = '/.well-known/openid-configuration';
      const said = `signIn must be the issuer, ${issuer}, without ${discovery}`;
      expect(() => read({ signIn: `${issuer}${discovery}`, signInClient })).toThrow(said);
    },
  );

  test('needs a client id, and its other settings need an issuer', () => {
    expect(() => read({ signIn: 'https://id.example.com' })).toThrow('signIn needs signInClient');
    for (const name of ['signInClient', 'signInSecret', 'signInTrustsEmail'])
      expect(() => read({ [name]: 'true' })).toThrow('mean nothing without signIn');
  });
});
