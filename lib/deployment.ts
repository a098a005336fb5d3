import type { App } from 'aws-cdk-lib';
import type { Settings } from './settings.ts';
import { DynamicLinkStack } from './stack.ts';

export const stackNameOf = ({ stage = 'dev' }: Settings): string => `DynamicLinks-${stage}`;

/** The service in an app of its own. `otherRegion` as for the stack. Throws ConfigError. */
export const addDeployment = (app: App, settings: Settings, otherRegion?: string): DynamicLinkStack =>
  new DynamicLinkStack(app, stackNameOf(settings), settings, { otherRegion });
