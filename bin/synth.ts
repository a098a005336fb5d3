import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { contextKeys } from '../lib/settings.ts';
import { refuseKeptFlags } from '../ops/stray-argument.ts';

const cdk = path.join(import.meta.dirname, '../node_modules/.bin/cdk');
const args = process.argv.slice(2);

const help = `Usage: npm run synth -- [-c KEY=VALUE …] [options of cdk synth]

Runs cdk synth into cdk.out, with the context values of deployments/STAGE.json
and -c, which docs/deploy.md lists. Needs no AWS account and no network.
`;

try {
  refuseKeptFlags({ name: 'synth', flags: ['context'], contextKeys }, process.env);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
if (args.includes('--help')) console.log(help);
const { status } = spawnSync(cdk, ['synth', '--quiet', ...args], { stdio: 'inherit' });
process.exit(status ?? 1);
