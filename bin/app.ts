import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { ConfigError } from '../lib/config-error.ts';
import { settingsOf } from '../lib/settings.ts';
import { addService } from '../lib/stack.ts';
import { readStageFile } from '../lib/stage-file.ts';

const app = new App();
// For deployments, set by the CDK's command line. The local stack and tests use only what they are given.
const stageValues = process.env.CDK_CLI_VERSION === undefined ? undefined : readStageFile;
try {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  addService(app, settingsOf(app.node.getAllContext(), stageValues), process.env.CDK_DEFAULT_REGION);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exit(1);
}
