#!/usr/bin/env node
import { Command, Option } from 'commander';
import { Connection, type Settings } from '../connection.ts';
import { DynamicLinks } from '../dynamic-links.ts';
import { DynamicLinksError } from '../failures.ts';
import manifest from '../package.json' with { type: 'json' };
import type { CheckFlags } from './app-check/app-check.ts';
import type { ApplyFlags, PlanFlags } from './links-as-code.ts';
import { visible } from './visible.ts';

/** Settings from the environment, so that no shell history keeps the key. */
const settings = (): Settings => {
  const { DLS_URL: url, DLS_KEY: key } = process.env;
  const missing = ['DLS_URL', 'DLS_KEY'].filter((name) => !process.env[name]);
  if (missing.length > 0) throw new TypeError(`Set ${missing.join(' and ')} in the environment`);
  return { url, key };
};

const wrongUsage = 2;

const connect = () => new DynamicLinks(settings());

const program = new Command('dynamic-links')
  .description(
    'Links as code, a server for assistants, and a check of apps. Reads DLS_URL and DLS_KEY from the environment.',
  )
  .version(manifest.version)
  .configureOutput({ outputError: (text, write) => write(`${inOneLine(text)}\n`) });

/** Commander's message and suggestion in one line. */
const inOneLine = (text: string): string => {
  const [fault = '', hint = ''] = text.trim().split('\n');
  const [, meant] = /^\(Did you mean (?:one of )?(.+)\?\)$/.exec(hint) ?? [];
  const names = meant?.split(', ').map((name) => `'${name}'`);
  const line = fault.replace(/^error: ./, (start) => start.slice(-1).toUpperCase()).replace(/\.$/, '');
  return names ? `${line}. Did you mean ${names.join(' or ')}?` : `${line}; see 'dynamic-links --help'`;
};

const onLinks = (name: string, description: string) =>
  program
    .command(name)
    .description(description)
    .argument('<file...>', 'YAML or JSON files with links')
    .option('--adopt', 'take over links that have no owner')
    .addOption(
      new Option('--orphans <what>', "what happens to the owner's links that no file has")
        .choices(['keep', 'pause'])
        .default('keep'),
    )
    .option('--json', 'print JSON');

onLinks(
  'plan',
  'Show what apply would do. Exit code 0: nothing, 2: changes or refusals, 1: an error.',
).action(async (files: string[], flags: PlanFlags) => {
  const { plan } = await import('./links-as-code.ts');
  process.exitCode = await plan(connect, files, flags);
});

onLinks(
  'apply',
  'Apply the files to the service. Never deletes. Exit code 0: everything applied, 1: not everything.',
)
  .option('--yes', "don't ask")
  .action(async (files: string[], flags: ApplyFlags) => {
    const { apply } = await import('./links-as-code.ts');
    process.exitCode = await apply(connect, files, flags);
  });

program
  .command('mcp')
  .description('Serve the Model Context Protocol on standard input and output.')
  .option('--allow-delete', 'offer delete_link, too')
  .action(async ({ allowDelete = false }: { allowDelete?: boolean }) => {
    const { serveAssistants } = await import('./mcp.ts');
    await serveAssistants(new Connection(settings()), { allowDelete, version: manifest.version });
  });

program
  .command('app')
  .description('Check the set-up of an app that opens links.')
  .command('check')
  .description(
    "Compare an app's project with its host. Needs no key. Exit code 0: no findings, 1: findings, 2: wrong usage.",
  )
  .argument(
    '<dir>',
    "the folder of the app's project: Gradle, Xcode, React Native, Expo, Flutter or Capacitor",
  )
  .requiredOption('--host <host>', 'host of the short URLs')
  .option('--path-prefix <path>', "the project's folder on the shared host, such as /acme/")
  .option('--expo-config <file>', 'output of npx expo config --json')
  .option('--association <dir>', "folder with the host's two association files, instead of requests")
  .option('--json', 'print JSON')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : wrongUsage))
  .action(async (folder: string, flags: CheckFlags) => {
    const { checkApp } = await import('./app-check/app-check.ts');
    const { InputError } = await import('./link-file.ts');
    try {
      process.exitCode = await checkApp(folder, flags);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      process.stderr.write(`${error.message}\n`);
      process.exitCode = wrongUsage;
    }
  });

try {
  await program.parseAsync();
} catch (error) {
  const { message } = error as Error;
  const shown =
    error instanceof DynamicLinksError
      ? visible(`${error.code}: ${message}${error.code === 'CONNECTION_ERROR' ? '. Check DLS_URL' : ''}`)
      : message;
  process.stderr.write(`${shown}\n`);
  process.exitCode = 1;
}
