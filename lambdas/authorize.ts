import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent, Context } from 'aws-lambda';
import type { ApiKey } from '../core/api-keys/api-key.ts';
import { keyAdmission } from '../core/api-keys/key-admission.ts';
import { planKeyBucket, planKeyValue, sharePlanKeyValue } from '../core/api-keys/plan-key.ts';
import { memberKeyPrefix } from '../core/members/member.ts';
import { memberKeyStore } from '../core/members/member-admission.ts';
import { openItems } from '../core/table/items.ts';
import { forVisitors } from '../core/table/retry-policy.ts';
import { countFailure, logError } from './frame/log.ts';
import { openFunction } from './frame/open-function.ts';

const { settings, tableFor } = openFunction('authorize', openItems);
const keysTable = tableFor({ ...forVisitors, deadlineMs: 5000 });
const apiKeys = keyAdmission(keysTable);
const memberKeys = memberKeyStore(keysTable);
/** A short deadline, because nothing depends on storing a key's use. */
const keyUses = keyAdmission(tableFor({ ...forVisitors, deadlineMs: 300 }));

// API Gateway returns 401 for this exact word without caching it, so a key works as soon as it exists. It has no stack
// trace, because Lambda logs it and anybody can send unknown keys.
const unauthorized = new Error('Unauthorized');
unauthorized.stack = 'Error: Unauthorized';

/** Admits a request with a valid X-API-KEY, and passes on the key's owner. */
export const handler = async (
  { authorizationToken, methodArn }: APIGatewayTokenAuthorizerEvent,
  { awsRequestId }: Context,
): Promise<APIGatewayAuthorizerResult> => {
  const key = await find(authorizationToken, awsRequestId);
  if (!key) throw unauthorized;
  if (!('counter' in key)) await markUsed(key, awsRequestId);
  return {
    principalId: key.keyId,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: wholeStage(methodArn) }],
    },
    context: {
      ...{ project: key.project, keyId: key.keyId, scopes: key.scopes.join(' '), user: key.createdBy },
      ...('counter' in key && { counter: key.counter, expiresAt: key.expiresAt }),
      ...('share' in key && { perHour: String(key.share?.perHour) }),
    },
    usageIdentifierKey:
      'share' in key
        ? sharePlanKeyValue(settings.planKeys, key.project)
        : planKeyValue(settings.planKeys, planKeyBucket(key.project)),
  };
};

/** Stores the day of a key's use; at most once a minute, because the gateway caches results. */
const markUsed = async (key: ApiKey, requestId: string): Promise<void> => {
  try {
    await keyUses.markUsed(key, new Date());
  } catch (error) {
    // A failure doesn't matter: the next request stores it again.
    logError('The use of a key could not be noted', error, { requestId });
  }
};

/** Looks up a key. Lambda counts "Unauthorized" as a function error, so real failures have their own metric. */
const find = async (text: string, requestId: string) => {
  try {
    return text.startsWith(memberKeyPrefix)
      ? settings.signIn && (await memberKeys.admit(text, new Date()))
      : await apiKeys.get(text);
  } catch (error) {
    logError('A key could not be looked up', error, { requestId });
    // If sign-in is turned off, the role changes minutes before the function, and a failure would stop the release.
    if (text.startsWith(memberKeyPrefix) && (error as Error).name === 'AccessDeniedException')
      return undefined;
    countFailure({ requestId });
    throw error;
  }
};

/** The ARN of the whole stage: the gateway caches policies by key, so they must cover every method. Scopes are checked later. */
const wholeStage = (methodArn: string): string => `${methodArn.split('/').slice(0, 2).join('/')}/*`;
