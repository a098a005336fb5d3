import type { Config } from '../../lib/config.ts';
import { signedCall } from '../deployment/signed-call.ts';
import { errorText, type Finding, finding, look, ok, todo } from './finding.ts';

/** Accounts on AWS's Free plan are closed after six months, or when their credits are used: printed QR codes end with them. */
export const accountPlan = ({ like }: Config): Promise<Finding> =>
  finding('account plan', async () => {
    const { accountPlanType, accountPlanExpirationDate: end } = await askedPlan();
    if (accountPlanType !== 'FREE') return ok('the account stays');
    const by = end === undefined ? '' : ` on ${new Date(end * 1000).toISOString().slice(0, 10)}`;
    const says = `AWS closes accounts on its Free plan${by}, or when their credits are used: upgrade it in Billing and Cost Management`;
    return like === 'prod' ? todo(says) : look(says);
  }).then((found) =>
    // Old policies for deployments lack this right, and nothing else needs it.
    found.says.startsWith('AWS closes') ? found : { ...found, result: found.result === 'ok' ? 'ok' : 'look' },
  );

interface AccountPlan {
  readonly accountPlanType?: string;
  /** In seconds. */
  readonly accountPlanExpirationDate?: number;
}

/** Accounts from before these plans have none. */
const askedPlan = async (): Promise<AccountPlan> => {
  try {
    const answer = await signedCall({
      service: 'freetier',
      region: 'us-east-1',
      host: 'freetier.us-east-1.api.aws',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'AWSFreeTierService.GetAccountPlanState',
      },
      body: '{}',
    });
    return JSON.parse(answer);
  } catch (error) {
    if (/ResourceNotFoundException/.test(errorText(error))) return {};
    throw error;
  }
};
