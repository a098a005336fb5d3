/** The context of the suites that don't run on the default one; few, because each is synthesized first. */
module.exports = { stage: 'prod', region: 'eu-west-1', rateLimitPerHour: '100' };
