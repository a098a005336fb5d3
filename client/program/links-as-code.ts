import { createInterface } from 'node:readline/promises';
import type { DynamicLinks } from '../dynamic-links.ts';
import { applyPlan } from './apply.ts';
import { takeInventory } from './inventory.ts';
import { InputError, readLinkFiles } from './link-file.ts';
import { isChange, type PlanOptions, type Step, stepsOf } from './plan.ts';
import { planJson, planLines, progressOn } from './report.ts';
import { withRefusals } from './validation.ts';
import { visible } from './visible.ts';

export interface PlanFlags extends PlanOptions {
  readonly json?: boolean;
}

export interface ApplyFlags extends PlanFlags {
  readonly yes?: boolean;
}

/** Exit codes of a plan. */
const nothingToDo = 0;
const somethingToDo = 2;

const print = (text: string) => void process.stdout.write(`${text}\n`);

const makePlan = async (client: () => DynamicLinks, files: readonly string[], flags: PlanFlags) => {
  const wanted = await readLinkFiles(files);
  if (wanted.links.size === 0 && flags.orphans !== 'pause')
    throw new InputError('No file has a link. To pause every link of the owner, add --orphans pause');
  const service = client();
  const { found, owned } = await takeInventory(service, wanted, progressOn(process.stderr, 'links compared'));
  const steps = await withRefusals(service, stepsOf(wanted, { found, owned }, flags), wanted);
  return { steps, applying: { client: service, wanted, found, options: flags } };
};

const printPlan = (steps: readonly Step[]): void => print(planLines(steps).join('\n'));

const isRefused = ({ action }: Step): boolean => action === 'refused';

/** Shows what apply would do. Returns the exit code. */
export const plan = async (
  client: () => DynamicLinks,
  files: readonly string[],
  flags: PlanFlags,
): Promise<number> => {
  const { steps } = await makePlan(client, files, flags);
  if (flags.json) print(JSON.stringify(planJson(steps)));
  else printPlan(steps);
  return steps.some((step) => isChange(step) || isRefused(step)) ? somethingToDo : nothingToDo;
};

/** Applies the files to the service. Returns the exit code. */
export const apply = async (
  client: () => DynamicLinks,
  files: readonly string[],
  flags: ApplyFlags,
): Promise<number> => {
  const isAsking = flags.yes !== true;
  if (isAsking && !(process.stdin.isTTY && process.stdout.isTTY))
    throw new InputError('Without a terminal, apply needs --yes');
  const { steps, applying } = await makePlan(client, files, flags);
  const changes = steps.filter(isChange).length;
  if (!flags.json) printPlan(steps);
  if (isAsking && changes > 0 && !(await isConfirmed(changes))) throw new InputError('Nothing was changed');
  const failed = await applyPlan(steps, applying, progressOn(process.stderr, 'changes applied'));
  for (const { code, error } of failed)
    process.stderr.write(`${visible(`${code}: ${error.code}: ${error.message}`)}\n`);
  if (flags.json) print(JSON.stringify(planJson(steps, failed)));
  else print(`${changes - failed.length} done, ${failed.length} failed`);
  return failed.length > 0 || steps.some(isRefused) ? 1 : 0;
};

const isConfirmed = async (changes: number): Promise<boolean> => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`Apply ${changes} changes? [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
};
