import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { refuseKeptFlags } from '../ops/command-line/stray-argument.ts';

const cdk = path.join(import.meta.dirname, '../node_modules/aws-cdk/bin/cdk');
const args = process.argv.slice(2);

const help = `Usage: npm run synth -- [-c KEY=VALUE …] [options of cdk synth]

Runs cdk synth into cdk.out, with the context values of deployments/STAGE.json
and -c, which docs/settings.md lists. Needs no AWS account and no network.
`;

try {
  await refuseKeptFlags(process.env, [{ name: 'synth', options: { context: true }, place: [] }]);
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
if (args.includes('--help')) console.log(help);
const { status } = spawnSync(process.execPath, [cdk, 'synth', '--quiet', ...args], { stdio: 'inherit' });
process.exit(status ?? 1);
