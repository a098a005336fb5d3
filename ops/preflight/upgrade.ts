// Until 1.3.0: part of the upgrade from 1.0.0.
import { describeStack } from '../target/described-stack.ts';
import { settlingStep } from '../upgrade/before-deployment.ts';
import { type Finding, finding, ok, todo } from './finding.ts';

/** What to do before a stack that is there goes to this version; nothing for a first deployment. */
export const upgradeFindings = async (region: string, stack: string): Promise<Finding[]> => {
  const deployed = await describeStack(stack, { region }).catch(() => undefined);
  const tableName = deployed?.outputs.TableName;
  if (!tableName) return [];
  return [
    await finding('figures of 1.0.0', async () => {
      const step = await settlingStep({ access: { region }, tableName }, stack);
      return step === undefined ? ok('all are settled') : todo(step);
    }),
  ];
};
