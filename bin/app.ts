import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { readConfig } from '../lib/config.ts';
import { ConfigError } from '../lib/context-values.ts';
import { addDeployment } from '../lib/deployment.ts';

const app = new App();
try {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  addDeployment(app, readConfig(app.node, process.env.CDK_DEFAULT_REGION));
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exit(1);
}
