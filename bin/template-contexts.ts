/** Contexts in which templates are linted and checked: each stage, with and without options; one has nearly all. */
export const templateContexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  dev: {},
  prod: { stage: 'prod', region: 'eu-west-1' },
  'prod on own domains': {
    stage: 'prod',
    region: 'eu-west-1',
    shortDomain: 'go.example.com',
    shortHostedZoneId: 'Z0123456789ABCDEFGHIJ',
    shortAliases: 'links.example.com,qr.example.com',
    apiDomain: 'api.example.com',
    apiHostedZoneId: 'Z9876543210ABCDEFGHIJ',
    alarmEmail: 'ops@example.com',
    monthlyBudget: '100',
    reservedConcurrency: '500',
    capacity: 'provisioned:500,1500',
    figuresWithin: '60',
    visitsPerAddress: '200000',
    ownHosts: 'tenants',
    eventBuses: 'one,two',
    abuseContact: 'https://example.com/abuse',
    figuresRetentionDays: '400',
    export: 'on',
    signIn: 'https://id.example.com',
    signInClient: 'links',
    signInSecret: 'links-sign-in',
    healthCheck: 'on',
    standby: 'eu-central-1',
  },
  'dev with a second region': { region: 'eu-west-1', standby: 'eu-central-1' },
  'dev on given certificates': {
    region: 'ap-southeast-2',
    healthCheck: 'on',
    shortDomain: 'go.example.com',
    shortCertificateArn:
      'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555',
    apiDomain: 'api.example.com',
    apiCertificateArn:
      'arn:aws:acm:ap-southeast-2:123456789012:certificate/11111111-2222-3333-4444-555555555555',
  },
  'prod with tenants': { stage: 'prod', region: 'us-east-1', ownHosts: 'tenants' },
  'dev on an adopted table': {
    region: 'eu-central-1',
    export: 'on',
    tableName: 'DynamicLinks-restored',
    tableStreamArn:
      'arn:aws:dynamodb:eu-central-1:123456789012:table/DynamicLinks-restored/stream/2026-11-21T00:00:00.000',
  },
};
