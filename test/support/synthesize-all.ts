import { readFileSync } from 'node:fs';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { addDeployment } from '../../lib/deployment.ts';
import { settingsOf } from '../../lib/settings.ts';
import { readStageFile } from '../../lib/stage-file.ts';
import { assemble, app as folder } from '../../ops/start/app.ts';

/*
 * Makes the assemblies of the contexts that its argument lists, with the templates and assets that the CDK's command line
 * would make. One process for all loads the CDK once and bundles the functions once: that is most of a synthesis.
 */
process.env.CDK_VALIDATION = 'false';
const { context: flags } = JSON.parse(readFileSync(path.join(folder, 'cdk.json'), 'utf8'));
/** What the command line gives an app beside the flags, and no traces, which are only read after a failure. */
const ofCommandLine = {
  'aws:cdk:enable-path-metadata': true,
  'aws:cdk:enable-asset-metadata': true,
  'aws:cdk:bundling-stacks': ['**'],
  'aws:cdk:disable-stack-trace': true,
};

for (const context of JSON.parse(process.argv[2] ?? '[]')) {
  await assemble(context, {
    run: (outdir) => {
      const app = new App({ outdir, context: { ...flags, ...ofCommandLine, ...context } });
      addDeployment(app, settingsOf(app.node.getAllContext(), readStageFile), process.env.CDK_DEFAULT_REGION);
      app.synth();
    },
  });
}
