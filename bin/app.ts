import { App } from 'aws-cdk-lib';
import { ConfigError, readConfig } from '../lib/config.ts';
import { DynamicLinksStack } from '../lib/stack.ts';

const app = new App();
try {
  const config = readConfig(app.node);
  new DynamicLinksStack(app, `DynamicLinks-${config.stage}`, {
    config,
    description: 'Dynamic links: short URLs, app routing, click figures',
  });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exit(1);
}
