import { outputsOf } from '../aws/described-stack.ts';
import { stepFromOlder } from '../upgrade/older-analytics.ts';
import { type Finding, finding, ok, todo } from './finding.ts';

/** Steps before an existing stack is upgraded to this version; none for a first deployment. */
export const upgradeFindings = async (region: string, stack: string): Promise<Finding[]> => {
  const tableName = (await outputsOf(stack, { region }))?.TableName;
  if (!tableName) return [];
  return [
    await finding('analytics of 1.0.0', async () => {
      const step = await stepFromOlder({ access: { region }, tableName });
      return step === undefined ? ok('there are none') : todo(step);
    }),
  ];
};
