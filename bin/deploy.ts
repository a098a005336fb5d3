import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ConfigError } from '../lib/context-values.ts';
import { dropsOf } from '../ops/deploy/deploy.ts';

const cdk = path.join(import.meta.dirname, '../node_modules/.bin/cdk');
const args = process.argv.slice(2);

try {
  const drops = args.includes('--help') ? [] : await dropsOf(args);
  if (drops.length > 0) {
    console.error(
      `This deployment would take away ${drops.join(', ')}. Give the same choices as before (deployments/STAGE.json is the place for them), or -c allowDrop=true if that is what you want.`,
    );
    process.exit(1);
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exit(1);
}
const { status } = spawnSync(cdk, ['deploy', ...args], { stdio: 'inherit' });
process.exit(status ?? 1);
