import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { type FunctionName, functions } from '../../core/functions.ts';
import { rowOf } from '../../lib/functions.ts';
import { deployedTemplate } from '../aws/described-stack.ts';
import { type Finding, finding, look, ok, todo } from './finding.ts';
import type { Plan } from './plan.ts';

/** The usual quota of an account; AWS gives new ones less. */
const usualConcurrency = 1000;
/** Concurrency that Lambda keeps for functions without a reservation. */
const neverReserved = 100;

/** The account's concurrency, and the part of it that no function has reserved. */
export const accountConcurrency = async (lambda: LambdaClient) => {
  const { AccountLimit = {} } = await lambda.send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions: limit = 0, UnreservedConcurrentExecutions: free = limit } = AccountLimit;
  return { limit, free };
};

/** Whether the account has enough concurrency, and whether the stage can reserve its part. */
export const concurrency = (region: string, plan: Plan | undefined): Promise<Finding> =>
  finding('Lambda concurrent executions', async () => {
    const { limit, free } = await accountConcurrency(new LambdaClient({ region }));
    const quota = `Service Quotas of ${region} (AWS Lambda, quota L-B99A9384)`;
    const { like, reservedConcurrency: reserved } = plan?.config ?? {};
    if (plan && reserved !== undefined) {
      const wanted = reservedInAll(reserved);
      const possible = free + (await reservedNow(plan.stack, region)) - neverReserved;
      if (wanted > possible)
        return todo(
          `reservedConcurrency=${reserved} reserves ${wanted} in all, and ${Math.max(possible, 0)} of the account's ${limit} are left ` +
            `for it: ask for ${limit + wanted - possible} in ${quota}, or lower it`,
        );
    }
    if (limit < usualConcurrency)
      return todo(
        `${limit}: enough to try the service, not for visitors. Ask for ${usualConcurrency} or more in ${quota}`,
      );
    return like === 'prod' && reserved === undefined
      ? look(
          `${limit}, and none is reserved: a flood of API calls with unknown keys can use them up, and visitors get 429. ` +
            'reservedConcurrency (docs/deploy.md) keeps some for visitors',
        )
      : ok(`${limit}`);
  });

/** The sum of all functions' reservations. */
const reservedInAll = (of: number): number =>
  (Object.keys(functions) as FunctionName[]).reduce(
    (sum, name) => sum + (rowOf(name).reserved?.(of) ?? 0),
    0,
  );

/** What the deployed stack has reserved; 0 before the first deployment. */
const reservedNow = async (stack: string, region: string): Promise<number> =>
  Object.values((await deployedTemplate(stack, { region }))?.Resources ?? {})
    .map(({ Properties }) => Number(Properties?.ReservedConcurrentExecutions ?? 0))
    .reduce((sum, one) => sum + one, 0);
