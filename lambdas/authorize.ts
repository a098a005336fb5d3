import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent, Context } from 'aws-lambda';
import type { ApiKey } from '../core/api-keys/api-key.ts';
import { keyAdmission } from '../core/api-keys/key-admission.ts';
import { planKeyBucket, planKeyValue } from '../core/api-keys/plan-key.ts';
import { memberKeyPrefix } from '../core/members/member.ts';
import { memberKeyStore } from '../core/members/member-admission.ts';
import { forVisitors } from '../core/table/patience.ts';
import { openItems } from '../core/table/port.ts';
import { countFailure, logError } from './frame/log.ts';
import { openFunction } from './frame/open-function.ts';

const { settings, tableFor } = openFunction('authorize', openItems);
const keysTable = tableFor({ ...forVisitors, deadlineMs: 5000 });
const apiKeys = keyAdmission(keysTable);
const memberKeys = memberKeyStore(keysTable);
/** The request doesn't wait longer for a note on which nothing depends. */
const keyUses = keyAdmission(tableFor({ ...forVisitors, deadlineMs: 300 }));

// API Gateway answers 401 for this exact word and caches nothing, so a key works as soon as it exists. Lambda
// logs what is thrown, and anybody can send unknown keys: one line must do, without a stack trace.
const unauthorized = new Error('Unauthorized');
unauthorized.stack = 'Error: Unauthorized';

/** Admits a request with a valid X-API-KEY, and passes the key's owner to its Lambda. */
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
    },
    usageIdentifierKey: planKeyValue(settings.planKeys, planKeyBucket(key.project)),
  };
};

/** The gateway caches the authorizer's result, so a key's day is noted once a minute and not with each request. */
const markUsed = async (key: ApiKey, requestId: string): Promise<void> => {
  try {
    await keyUses.markUsed(key, new Date());
  } catch (error) {
    // What a key may do doesn't depend on it, and the next request notes it as well.
    logError('The use of a key could not be noted', error, { requestId });
  }
};

/** Lambda counts "Unauthorized" as a function error, so real failures need their own metric. */
const find = async (text: string, requestId: string) => {
  try {
    return text.startsWith(memberKeyPrefix)
      ? settings.signIn && (await memberKeys.admit(text, new Date()))
      : await apiKeys.get(text);
  } catch (error) {
    logError('A key could not be looked up', error, { requestId });
    // Where sign-in ends, the role changes minutes before the function, and a failure would end its release.
    if (text.startsWith(memberKeyPrefix) && (error as Error).name === 'AccessDeniedException')
      return undefined;
    countFailure({ requestId });
    throw error;
  }
};

/** The gateway caches the policy per key, so it must cover every method. Scopes are checked later. */
const wholeStage = (methodArn: string): string => `${methodArn.split('/').slice(0, 2).join('/')}/*`;
