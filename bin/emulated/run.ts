import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { restoreForAdoption, tableOf } from './adoption.ts';
import { type Commands, commandsAt } from './commands.ts';
import { gaps, reduced, type SmokeLine, surprises } from './gaps.ts';

const stackName = 'DynamicLinks-dev';
const account = '000000000000';
const region = 'us-east-1';

type Report = (line: string) => void;

/**
 * Deploys the dev stack onto the emulator with the CDK, uses it, lets it adopt a restored table, and destroys it.
 * Throws the first failure.
 */
export const deployEmulated = async (endpoint: string, folder: string, report: Report): Promise<void> => {
  const { cdk, node } = commandsAt(endpoint, region);
  const assembly = path.join(folder, 'cdk.out');
  const deploy = async (context: Readonly<Record<string, string>> = {}) => {
    const flags = Object.entries(context).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    await cdk('synth', '--quiet', '--output', assembly, ...flags);
    const { ids, altered } = reduceTemplate(path.join(assembly, `${stackName}.template.json`));
    report(`cdk deploy ${[stackName, ...flags].join(' ')}`);
    report(`  ${ids.length} resources, ${altered.length} of them altered for the emulator`);
    await cdk('deploy', '--app', assembly, stackName, '--require-approval', 'never');
  };
  report('The emulator lacks:');
  for (const { lacks } of gaps) report(`  ${lacks}`);
  report(`cdk bootstrap aws://${account}/${region}`);
  await cdk('bootstrap', `aws://${account}/${region}`);
  await deploy();
  await administer(node, report);
  await smoke(node, report);
  await adopt(endpoint, { node, deploy, report, folder });
  report(`cdk destroy ${stackName}`);
  await cdk('destroy', '--app', assembly, stackName, '--force');
};

const reduceTemplate = (file: string) => {
  const before = JSON.parse(readFileSync(file, 'utf8'));
  const after = reduced(before);
  writeFileSync(file, JSON.stringify(after));
  const ids = Object.keys(after.Resources);
  const text = (template: typeof after, id: string) => JSON.stringify(template.Resources[id]);
  return { ids, altered: ids.filter((id) => text(before, id) !== text(after, id)) };
};

interface Adoption {
  readonly node: Commands['node'];
  readonly deploy: (context: Readonly<Record<string, string>>) => Promise<void>;
  readonly report: Report;
  /** Folder for files that commands write. */
  readonly folder: string;
}

/** Simulates the loss of the table: the stack moves to a restored one, still has its data, and works. */
const adopt = async (endpoint: string, { node, deploy, report, folder }: Adoption): Promise<void> => {
  const credentials = { accessKeyId: 'emulated', secretAccessKey: 'emulated' };
  const access = { endpoint, region, credentials };
  const lost = await tableOf(stackName, access);
  report(`restore ${lost}`);
  const restored = await restoreForAdoption(access, lost);
  const admin = adminOf(node, report);
  const file = path.join(folder, 'members.sh');
  await admin('restore', '--from', restored.tableName, '--adopt', '--members', file);
  await deploy({ ...restored });
  const now = await tableOf(stackName, access);
  if (now !== restored.tableName) throw new Error(`The stack works on ${now}, not on ${restored.tableName}`);
  await admin('takedown', 'replay');
  const projects = (await admin('project', 'list')) as readonly { readonly id: string }[];
  if (!projects.some(({ id }) => id === 'acme')) throw new Error('The restored table has lost the project');
  const members = (await admin('member', 'list')) as readonly unknown[];
  if (members.length > 0) throw new Error('The restored table has brought members back');
  await smoke(node, report);
};

const adminOf =
  (node: Commands['node'], report: Report) =>
  async (...args: string[]) => {
    report(`dls ${args.join(' ')}`);
    const { code, out, printed } = await node('ops/dls.js', ...args, '--stack', stackName, '--json');
    if (code !== 0) throw new Error(printed);
    return JSON.parse(out);
  };

const administer = async (node: Commands['node'], report: Report): Promise<void> => {
  const admin = adminOf(node, report);
  await admin('project', 'create', 'acme', '--name', 'Acme');
  await admin('member', 'add', 'ann@example.com', '--project', 'acme', '--role', 'viewer');
  const { keyId } = await admin('key', 'create', '--project', 'acme');
  await admin('project', 'list');
  await admin('key', 'revoke', keyId);
};

const smoke = async (node: Commands['node'], report: Report): Promise<void> => {
  report('smoke');
  const command = ['--import', './bin/emulated/public-addresses.ts', 'ops/dls.js', 'smoke'];
  const { out, printed } = await node(
    ...command,
    '--stack',
    stackName,
    '--pause',
    '2',
    '--patience',
    '10',
    '--json',
  );
  // The exit code counts every failed check, also those that the list allows.
  if (out === '') throw new Error(printed);
  const outcomes = JSON.parse(out) as SmokeLine[];
  for (const { name, result, detail } of outcomes) {
    report(`  ${result.padEnd(7)}  ${name}${detail && `: ${detail.slice(0, 200)}`}`);
  }
  const faults = surprises(outcomes);
  if (faults.length > 0) throw new Error(`Not what the list of gaps says:\n  ${faults.join('\n  ')}`);
};
