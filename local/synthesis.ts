import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';

export interface SynthesisOptions {
  /** Folder of the CDK app, with its cdk.json. */
  readonly app: string;
  /** Files and folders of the app that its assembly depends on. */
  readonly sources: readonly string[];
  readonly context: Readonly<Record<string, string>>;
  /** Folder for assemblies, one per state of the sources and the context. */
  readonly output: string;
  /** Called if there is no such assembly yet; synthesis takes some seconds. */
  readonly onStart?: (() => void) | undefined;
  /** Writes the assembly into a folder; the CDK's command line unless given. */
  readonly run?: ((output: string) => void | Promise<void>) | undefined;
}

/** Enough for some contexts, each before and after a change that may be reverted. */
const keptAssemblies = 16;

/**
 * The app's assembly: synthesized by the CDK, or reused from an earlier run with the same sources and
 * context. The folder is complete as soon as it exists, even if two runs create it at once. If synthesis
 * fails, throws the CDK's message.
 */
export const synthesize = async ({
  app,
  sources,
  context,
  output,
  onStart,
  run = (draft) => runCdk(app, context, draft),
}: SynthesisOptions): Promise<string> => {
  const fingerprint = await fingerprintOf(app, sources, context);
  const assembly = path.join(output, fingerprint);
  if (!existsSync(assembly)) {
    onStart?.();
    await mkdir(output, { recursive: true });
    const draft = await mkdtemp(path.join(output, 'draft-'));
    try {
      await run(draft);
      // The sources changed meanwhile, so the assembly may mix two states.
      if ((await fingerprintOf(app, sources, context)) !== fingerprint) {
        await rm(draft, { recursive: true, force: true });
        return await synthesize({ app, sources, context, output, run });
      }
      await rename(draft, assembly);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      // Another run finished the same assembly first.
      if (!existsSync(assembly)) throw error;
    }
    await dropOldAssemblies(output);
  }
  await utimes(assembly, new Date(), new Date());
  return assembly;
};

const fingerprintOf = async (
  app: string,
  sources: readonly string[],
  context: Readonly<Record<string, string>>,
): Promise<string> => {
  const hash = createHash('sha256').update(JSON.stringify(Object.entries(context).sort()));
  for (const source of sources) {
    for (const file of await filesOf(path.join(app, source))) {
      hash.update(`\n${path.relative(app, file)}\n`).update(await readFile(file));
    }
  }
  return hash.digest('hex').slice(0, 16);
};

const filesOf = async (source: string): Promise<string[]> => {
  if (!(await stat(source)).isDirectory()) return [source];
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
};

const runCdk = (app: string, context: Readonly<Record<string, string>>, output: string): Promise<void> => {
  const cli = path.join(app, 'node_modules', 'aws-cdk', 'bin', 'cdk');
  const contextFlags = Object.entries(context).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  return runInApp(app, [cli, 'synth', '--quiet', '--output', output, ...contextFlags], {
    // The app is started by name and must run on the same Node.
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
    // No telemetry from local runs.
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  });
};

/** Runs an app's program that writes an assembly; rejects with the program's own message. */
export const runInApp = (
  app: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<void> => {
  const child = spawn(process.execPath, args, {
    cwd: app,
    stdio: ['ignore', 'ignore', 'pipe'],
    // The CDK's rules concern deployments, and would take more than half of a first start.
    env: { ...process.env, CDK_VALIDATION: 'false', ...environment },
  });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => {
    words += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(essence(words)))));
  });
};

/** The error message, without the CDK's lines around it. */
const essence = (words: string): string =>
  words
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^Bundling asset|Subprocess exited with error/.test(line))
    .join('\n')
    .trim() || 'The CDK app could not be synthesized';

const dropOldAssemblies = async (output: string): Promise<void> => {
  const entries = await readdir(output);
  const aged = await Promise.all(
    entries
      .filter((name) => !name.startsWith('draft-'))
      .map(async (name) => {
        const folder = path.join(output, name);
        return { folder, usedAt: (await stat(folder)).mtimeMs };
      }),
  );
  const old = aged.sort((a, b) => b.usedAt - a.usedAt).slice(keptAssemblies);
  await Promise.all(old.map(({ folder }) => rm(folder, { recursive: true, force: true })));
};
