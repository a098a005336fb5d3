import { describeStack } from '../deployment/described-stack.ts';
import { stepFromOlder } from '../upgrade/older-figures.ts';
import { type Finding, finding, ok, todo } from './finding.ts';

/** What to do before a stack that is there goes to this version; nothing for a first deployment. */
export const upgradeFindings = async (region: string, stack: string): Promise<Finding[]> => {
  const deployed = await describeStack(stack, { region }).catch(() => undefined);
  const tableName = deployed?.outputs.TableName;
  if (!tableName) return [];
  return [
    await finding('figures of 1.0.0', async () => {
      const step = await stepFromOlder({ access: { region }, tableName });
      return step === undefined ? ok('there are none') : todo(step);
    }),
  ];
};
