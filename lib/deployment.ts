import type { App } from 'aws-cdk-lib';
import type { StageSettings } from './settings.ts';
import { DynamicLinkStack } from './stack.ts';

export const stackNameOf = ({ stage = 'dev' }: StageSettings): string => `DynamicLinks-${stage}`;

/** Adds the service to an app. `otherRegion` as for the stack. Throws ConfigError. */
export const addDeployment = (app: App, settings: StageSettings, otherRegion?: string): DynamicLinkStack =>
  new DynamicLinkStack(app, stackNameOf(settings), settings, { otherRegion });
