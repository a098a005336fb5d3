import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { type Config, configOf } from '../../lib/config.ts';
import { settingsOf } from '../../lib/settings.ts';
import { addService, stackNameOf } from '../../lib/stack.ts';
import { readStageFile } from '../../lib/stage-file.ts';

const root = path.join(import.meta.dirname, '../..');

/** The stacks that `cdk deploy` would deploy, with their regions. */
export interface Plan {
  /** The oldest bootstrap version that the stacks accept, by region. */
  readonly bootstraps: Readonly<Record<string, number>>;
  readonly config: Config;
  readonly stacks: readonly { readonly name: string; readonly region: string }[];
  /** The name of the service's stack. */
  readonly stack: string;
}

/** The plan of a stage. Throws the app's error for an invalid choice. `region` is for stacks without their own. */
export const stagePlanOf = (context: Readonly<Record<string, string>>, region: string): Plan => {
  const { context: flags } = JSON.parse(readFileSync(path.join(root, 'cdk.json'), 'utf8'));
  const outdir = mkdtempSync(path.join(tmpdir(), 'preflight-'));
  try {
    const app = new App({
      context: { ...flags, 'aws:cdk:bundling-stacks': [], 'aws:cdk:disable-stack-trace': true },
      treeMetadata: false,
      outdir,
    });
    const settings = settingsOf({ ...flags, region, ...context }, readStageFile);
    addService(app, settings, region);
    const bootstraps: Record<string, number> = {};
    const stacks: { name: string; region: string }[] = [];
    for (const { stackName: name, environment, requiresBootstrapStackVersion = 0 } of app.synth().stacks) {
      const where = environment.region === 'unknown-region' ? region : environment.region;
      stacks.push({ name, region: where });
      bootstraps[where] = Math.max(bootstraps[where] ?? 0, requiresBootstrapStackVersion);
    }
    return { bootstraps, stacks, config: configOf(settings, region), stack: stackNameOf(settings) };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
};
