import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ConfigError } from '../lib/setting-kinds.ts';
import { contextKeys } from '../lib/settings.ts';
import { dropsOf } from '../ops/deploy/deploy.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { refuseKeptFlags } from '../ops/stray-argument.ts';

const cdk = path.join(import.meta.dirname, '../node_modules/.bin/cdk');
const args = process.argv.slice(2);

const help = `Usage: npm run deploy -- [--all] [-c KEY=VALUE …] [options of cdk deploy]

Runs cdk deploy with the context values of deployments/STAGE.json and -c, which
docs/deploy.md lists. Stops first if the deployment would remove a domain, an
alias, alarmEmail or an adopted table; -c allowDrop=true lets it.
`;

const flags = ['context', 'stack', 'profile', 'exclusively', 'require-approval', 'parameters', 'role-arn'];

try {
  refuseKeptFlags({ name: 'deploy', flags, contextKeys }, process.env);
  if (args.includes('--help')) console.log(help);
  const drops = args.includes('--help') ? [] : await dropsOf(args);
  if (drops.length > 0) {
    console.error(
      `This deployment would remove ${drops.join(', ')}. Set the same context values as before, best in deployments/STAGE.json, or confirm with -c allowDrop=true.`,
    );
    process.exit(1);
  }
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof OperatorError)) throw error;
  console.error(error.message);
  process.exit(1);
}
const { status } = spawnSync(cdk, ['deploy', ...args], { stdio: 'inherit' });
process.exit(status ?? 1);
