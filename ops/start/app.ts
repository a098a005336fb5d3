import path from 'node:path';
import { type SynthesisOptions, synthesize } from '../../local/synthesis.ts';

/** Folder of the CDK app. */
export const app = path.join(import.meta.dirname, '../..');

/** The sources of its assembly. */
const sources = ['bin/app.ts', 'lib', 'core', 'lambdas', 'cdk.json', 'package.json', 'package-lock.json'];

/** The service's assembly for a context, kept from run to run. */
export const assemble = (
  context: Readonly<Record<string, string>> = {},
  options?: Pick<SynthesisOptions, 'onStart' | 'run'>,
): Promise<string> => assembleInto(path.join(app, 'cdk.out', 'local'), context, options);

/** The same, in a folder of the caller's. */
export const assembleInto = (
  output: string,
  context: Readonly<Record<string, string>> = {},
  options?: Pick<SynthesisOptions, 'onStart' | 'run'>,
): Promise<string> => synthesize({ app, sources, context, output, ...options });
