import type { App } from 'aws-cdk-lib';
import { type Config, needsEdgeStack } from './config.ts';
import { edgeRegion } from './domains.ts';
import { EdgeAlarmsStack } from './edge-alarms-stack.ts';
import { EdgeStack } from './edge-stack.ts';
import { DynamicLinksStack } from './stack.ts';

/** The stacks of one stage: the service and, where they are needed, those in CloudFront's own region. */
export const addDeployment = (app: App, config: Config): DynamicLinksStack => {
  const { stage, region } = config;
  const edge = needsEdgeStack(config)
    ? new EdgeStack(app, edgeName('DynamicLinksEdge', config), {
        config,
        env: { region: edgeRegion },
        crossRegionReferences: true,
        description: "Dynamic links: what CloudFront's own region has to hold",
      })
    : undefined;
  const service = new DynamicLinksStack(app, `DynamicLinks-${stage}`, {
    config,
    ...(region && { env: { region } }),
    ...(edge && { edge, crossRegionReferences: true }),
    description: 'Dynamic links: short URLs, app routing, click figures',
    // One wrong command must not delete a stack with data.
    terminationProtection: stage === 'prod',
  });
  if (stage === 'prod') {
    new EdgeAlarmsStack(app, edgeName('DynamicLinksEdgeAlarms', config), {
      config,
      distribution: service.shortLinks.distribution,
      ownHosts: service.shortLinks.ownHosts?.distribution,
      firewall: edge?.firewall,
      env: { region: edgeRegion },
      crossRegionReferences: true,
      description: 'Dynamic links: alarms on what visitors get from CloudFront',
    });
  }
  return service;
};

/** All regions of a stage have these stacks in one region, so the names contain the service's region. */
const edgeName = (name: string, { stage, region }: Config): string =>
  region === edgeRegion ? `${name}-${stage}` : `${name}-${stage}-${region}`;
