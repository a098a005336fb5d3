/** The contexts of the suites that don't run on the default one; few, because each is synthesized first. */
module.exports = {
  prodContext: {
    stage: 'prod',
    region: 'eu-west-1',
    rateLimitPerHour: '300',
    figuresRetentionDays: '400',
    linksPerProject: '100000',
  },
  tenantsContext: {
    ownHosts: 'tenants',
    abuseContact: 'mailto:abuse@example.com',
    export: 'on',
    eventBuses: 'orders',
  },
};
