import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import type { StageSettings } from '../../lib/settings.ts';
import { addService } from '../../lib/stack.ts';
import { cdkFlags } from './cdk-flags.ts';

interface Synthesis<Read> {
  readonly settings: StageSettings;
  /** The region of stacks without their own. */
  readonly region?: string;
  /** Whether CloudFormation's rules are checked, which takes most of the time. */
  readonly isChecked?: boolean;
  /** Reads the stacks before their files are deleted. */
  readonly read: (stacks: readonly CloudFormationStackArtifact[]) => Read;
}

/** Synthesizes the stacks of these settings without their bundles. */
export const synthesizedStacks = <Read>({ settings, region, isChecked = false, read }: Synthesis<Read>) => {
  const outdir = mkdtempSync(path.join(tmpdir(), 'stacks-'));
  try {
    const app = new App({
      context: { ...cdkFlags(), 'aws:cdk:bundling-stacks': [], 'aws:cdk:disable-stack-trace': true },
      outdir,
      treeMetadata: false,
      builtinCloudFormationValidation: isChecked,
    });
    addService(app, settings, region);
    return read(app.synth().stacks);
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
};
