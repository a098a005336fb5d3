import { existsSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import { settingsOf } from '../lib/settings.ts';
import { readStageFile } from '../lib/stage-file.ts';
import { runInApp, type SynthesisOptions, synthesize } from '../local/synthesis.ts';
import { cdkFlags } from '../ops/base/cdk-flags.ts';
import { ofContext } from '../ops/base/context-usage.ts';

/** Folder of the CDK app. */
export const appFolder = path.join(import.meta.dirname, '..');

/** The sources of its assembly. */
export const sources = [
  ...['bin/app.ts', 'lib', 'core', 'lambdas', 'console'],
  ...['cdk.json', 'package.json', 'package-lock.json'],
];

type Context = Readonly<Record<string, string>>;

/** The service's assembly for a context, kept between runs. */
export const assemble = (
  context: Context = {},
  options?: Pick<SynthesisOptions, 'onStart'>,
): Promise<string> => assembleInto(path.join(appFolder, 'cdk.out', 'local'), context, options);

/** Synthesizes into the caller's folder. */
export const assembleInto = (
  output: string,
  context: Context = {},
  options?: Pick<SynthesisOptions, 'onStart'>,
): Promise<string> =>
  synthesize({
    app: appFolder,
    sources: [...sources, ...logoOf(context)],
    context,
    output,
    ...options,
    run: (draft) => runApp(draft, context),
  });

/** The logo's file, which is outside the sources. A missing one is refused by the app. */
const logoOf = ({ consoleLogo }: Context): string[] => {
  const file = path.relative(appFolder, path.resolve(appFolder, consoleLogo ?? ''));
  return consoleLogo && existsSync(path.join(appFolder, file)) ? [file] : [];
};

/**
 * Runs the app as the CDK's command line does, whose own start would take nearly as long again. Throws UsageError for
 * an invalid combination of context values.
 */
const runApp = async (outdir: string, context: Context): Promise<void> => {
  const compiled = getCompileCacheDir();
  const environment = {
    CDK_OUTDIR: outdir,
    CDK_CONTEXT_JSON: JSON.stringify({ ...cdkFlags(), ...ofCommandLine, ...context }),
    // Makes the app also read deployments/STAGE.json.
    CDK_CLI_VERSION: 'none',
    BUNDLE_MAPS: 'all',
    ...(compiled !== undefined && { NODE_COMPILE_CACHE: path.dirname(compiled) }),
  };
  try {
    await runInApp(appFolder, ['bin/app.ts'], environment);
  } catch (error) {
    // Loaded only after a failure, because it loads the CDK.
    const { configOf } = await import('../lib/config.ts');
    ofContext(() => configOf(settingsOf(context, readStageFile)));
    throw error;
  }
};

/** Context that the CDK CLI sets. Stack traces are off: they matter only after failures. */
const ofCommandLine = {
  'aws:cdk:enable-path-metadata': true,
  'aws:cdk:enable-asset-metadata': true,
  'aws:cdk:bundling-stacks': ['**'],
  'aws:cdk:disable-stack-trace': true,
};
