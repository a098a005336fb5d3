import { Stack, type StackProps } from 'aws-cdk-lib';
import type * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as route53 from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledgements.ts';
import type { Heading } from './alarm-names.ts';
import { type Alarms, addAlarms, manyBlocks } from './alarms.ts';
import type { Config } from './config.ts';
import { readsOutputs } from './cross-region.ts';
import type { Firewall } from './firewall.ts';
import { computed, edgeMetric, minute } from './metrics.ts';
import { standbyPath } from './short-link-behaviors.ts';
import type { ShortLinks } from './short-links.ts';

interface EdgeAlarmsStackProps extends StackProps {
  readonly config: Config;
  readonly shortLinks: ShortLinks;
  readonly firewall?: Firewall | undefined;
}

/** The fewest that Route 53 allows: its checkers in all regions would send thirty requests a minute. */
const healthCheckRegions = ['us-east-1', 'eu-west-1', 'ap-southeast-1'];

/**
 * Alarms on CloudFront's responses, in the region of its metrics, because alarms read only metrics of their own region.
 * Failures before the redirect (a lost permission, the firewall, no concurrency) show nowhere else. A health check also
 * detects that CloudFront can't be reached, for example because of a lost DNS record.
 */
export class EdgeAlarmsStack extends Stack {
  constructor(scope: Construct, id: string, props: EdgeAlarmsStackProps) {
    const { config, shortLinks, firewall, ...ofStack } = props;
    const description = 'Dynamic links: alarms on what visitors get from CloudFront';
    super(scope, id, { description, ...ofStack });
    readsOutputs(this);
    const alarms = addAlarms(this, config);
    if (config.like === 'prod') {
      watch(alarms, shortLinks.distribution);
      // Custom hosts are tenants of this distribution.
      if (shortLinks.ownHosts) watch(alarms, shortLinks.ownHosts, 'OwnHosts');
      if (firewall) alarms.add('EdgeFirewallBlocks', 'FirewallBlocks', firewall.blocked, manyBlocks);
    }
    if (config.healthCheck) {
      const host = config.short?.name ?? shortLinks.distribution.domainName;
      // The edge answers this path without a function, so the check passes if only functions fail.
      checkHealth(this, alarms, { name: 'HealthCheck', host, path: '/robots.txt' });
      if (config.standby) checkHealth(this, alarms, { name: 'StandbyHealthCheck', host, path: standbyPath });
    }
    acknowledge(this, config);
  }
}

/** Alarms by share and number: at night a few failures are a large share, and one scanner sends hundreds of requests. */
const watch = (alarms: Alarms, distribution: cloudfront.IDistribution, hosts = ''): void => {
  const requests = edgeMetric(distribution, 'Requests', { statistic: 'Sum' });
  const ofRate = (metricName: string) => ({
    requests,
    rate: edgeMetric(distribution, metricName, { statistic: 'Average' }),
  });
  const failed = computed('Percent', 'IF(requests * rate >= 500, rate, 0)', ofRate('5xxErrorRate'));
  alarms.add(`${hosts}EdgeErrors`, 'EdgeErrors', failed);
  const refused = computed('Percent', 'IF(requests >= 1000, rate, 0)', ofRate('4xxErrorRate'));
  alarms.add(`${hosts}EdgeRefusals`, 'EdgeRefusals', refused, { at: 50, minutes: 10 });
};

/** A health check of a path on the short host, with an alarm. */
const checkHealth = (
  scope: Construct,
  alarms: Alarms,
  { name, host, path }: { readonly name: Heading; readonly host: string; readonly path: string },
): void => {
  const { attrHealthCheckId: HealthCheckId } = new route53.CfnHealthCheck(scope, `${name}OfHost`, {
    healthCheckConfig: {
      type: 'HTTPS',
      fullyQualifiedDomainName: host,
      resourcePath: path,
      enableSni: true,
      regions: healthCheckRegions,
    },
  });
  const status = new cloudwatch.Metric({
    namespace: 'AWS/Route53',
    metricName: 'HealthCheckStatus',
    dimensionsMap: { HealthCheckId },
    statistic: 'Minimum',
    ...minute,
  });
  alarms.add(name, name, computed('Unreached', 'IF(status < 1, 1, 0)', { status }), { minutes: 2 });
};
