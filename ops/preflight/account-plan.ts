import type { Config } from '../../lib/config.ts';
import { signedCall } from '../aws/signed-call.ts';
import { errorText } from '../base/error-text.ts';
import { type Finding, finding, look, ok, todo } from './finding.ts';

/** AWS's Free plan ends after six months or with its credits, and the account with it: printed QR codes end then. */
export const accountPlan = ({ like }: Config): Promise<Finding> =>
  finding('account plan', async () => {
    const { accountPlanType, accountPlanExpirationDate: end } = await askedPlan();
    if (accountPlanType !== 'FREE') return ok('the account stays');
    const by = end === undefined ? '' : ` on ${new Date(end * 1000).toISOString().slice(0, 10)}`;
    const says = `AWS closes accounts on its Free plan${by}, or when their credits are used: upgrade it in Billing and Cost Management`;
    return like === 'prod' ? todo(says) : look(says);
  }).then((found) =>
    // Older policies for deployments lack this permission, which nothing else needs.
    found.says.startsWith('AWS closes') ? found : { ...found, result: found.result === 'ok' ? 'ok' : 'look' },
  );

interface AccountPlan {
  readonly accountPlanType?: string;
  /** Epoch seconds. */
  readonly accountPlanExpirationDate?: number;
}

/** The account's plan; accounts older than these plans have none. */
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
