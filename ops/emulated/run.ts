import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Commands, commandsAt } from './commands.ts';
import { gaps, type Outcome, reduced, surprises } from './gaps.ts';

const stackName = 'DynamicLinks-dev';
const account = '000000000000';
const region = 'us-east-1';

type Say = (line: string) => void;

/** Deploys the dev stack onto the emulator by the CDK itself, uses it, and takes it down. Throws whatever fails. */
export const deployEmulated = async (endpoint: string, folder: string, say: Say): Promise<void> => {
  const { cdk, node } = commandsAt(endpoint, region);
  const assembly = path.join(folder, 'cdk.out');
  say(`cdk bootstrap aws://${account}/${region}`);
  await cdk('bootstrap', `aws://${account}/${region}`);
  await cdk('synth', '--quiet', '--output', assembly);
  reduceTemplate(path.join(assembly, `${stackName}.template.json`), say);
  say(`cdk deploy ${stackName}`);
  await cdk('deploy', '--app', assembly, stackName, '--require-approval', 'never');
  await administer(node, say);
  await smoke(node, say);
  say(`cdk destroy ${stackName}`);
  await cdk('destroy', '--app', assembly, stackName, '--force');
};

const reduceTemplate = (file: string, say: Say): void => {
  const before = JSON.parse(readFileSync(file, 'utf8'));
  const after = reduced(before);
  writeFileSync(file, JSON.stringify(after));
  const ids = Object.keys(after.Resources);
  const text = (template: typeof after, id: string) => JSON.stringify(template.Resources[id]);
  const altered = ids.filter((id) => text(before, id) !== text(after, id));
  say(`${ids.length} resources, ${altered.length} of them altered. The emulator lacks:`);
  for (const { lacks } of gaps) say(`  ${lacks}`);
};

const administer = async (node: Commands['node'], say: Say): Promise<void> => {
  const admin = async (...args: string[]) => {
    say(`admin ${args.join(' ')}`);
    const { code, out, printed } = await node('bin/admin.ts', ...args, '--stack', stackName, '--json');
    if (code !== 0) throw new Error(printed);
    return JSON.parse(out);
  };
  await admin('project', 'create', 'acme', '--name', 'Acme');
  const { keyId } = await admin('key', 'create', '--project', 'acme');
  await admin('project', 'list');
  await admin('key', 'revoke', keyId);
};

const smoke = async (node: Commands['node'], say: Say): Promise<void> => {
  say('smoke');
  const command = ['--import', './ops/emulated/public-addresses.ts', 'bin/smoke.ts'];
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
  // Its exit code counts every failed check; which of them may fail is on the list.
  if (out === '') throw new Error(printed);
  const outcomes = JSON.parse(out) as Outcome[];
  for (const { name, result, detail } of outcomes) {
    say(`  ${result.padEnd(7)}  ${name}${detail && `: ${detail.slice(0, 200)}`}`);
  }
  const faults = surprises(outcomes);
  if (faults.length > 0) throw new Error(`Not what the list of gaps says:\n  ${faults.join('\n  ')}`);
};
