import type { App } from 'aws-cdk-lib';
import { type Config, edgeRegion, needsEdgeStack } from './config.ts';
import { EdgeStack } from './edge-stack.ts';
import { DynamicLinksStack } from './stack.ts';

/** The stacks of one stage: the service and, only where it takes one, the stack in CloudFront's region. */
export const addDeployment = (app: App, config: Config): DynamicLinksStack => {
  const { stage, region } = config;
  const edge = needsEdgeStack(config)
    ? new EdgeStack(app, `DynamicLinksEdge-${stage}`, {
        config,
        env: { region: edgeRegion },
        crossRegionReferences: true,
        description: "Dynamic links: what CloudFront's own region has to hold",
      })
    : undefined;
  return new DynamicLinksStack(app, `DynamicLinks-${stage}`, {
    config,
    ...(region && { env: { region } }),
    ...(edge && { edge, crossRegionReferences: true }),
    description: 'Dynamic links: short URLs, app routing, click figures',
    // A stack that holds data is not taken down by one wrong command.
    terminationProtection: stage === 'prod',
  });
};
