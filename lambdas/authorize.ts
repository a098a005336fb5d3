import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent, Context } from 'aws-lambda';
import type { ApiKey } from '../core/projects/api-key.ts';
import { apiKeyStore } from '../core/projects/api-key-store.ts';
import { planKeyBucket, planKeyValue } from '../core/projects/plan-key.ts';
import { openTable, tableClient } from '../core/table/sdk-table.ts';
import { countFailure, logError } from './log.ts';

const apiKeys = apiKeyStore(openTable(tableClient(), process.env.TABLE_NAME ?? ''));

// API Gateway knows this one word and answers 401; nothing of it is cached, so a key works once it exists. Lambda logs what
// is thrown, and anybody can send unknown keys: one line has to do, for where it was thrown is no news.
const unauthorized = new Error('Unauthorized');
unauthorized.stack = 'Error: Unauthorized';

/** Lets a request in whose X-API-KEY is in use, and tells its Lambda whose key it is. */
export const handler = async (
  { authorizationToken, methodArn }: APIGatewayTokenAuthorizerEvent,
  { awsRequestId }: Context,
): Promise<APIGatewayAuthorizerResult> => {
  const key = await find(authorizationToken, awsRequestId);
  if (!key) throw unauthorized;
  await markUsed(key, awsRequestId);
  return {
    principalId: key.keyId,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: wholeStage(methodArn) }],
    },
    context: { project: key.project, keyId: key.keyId, scopes: key.scopes.join(' '), user: key.createdBy },
    usageIdentifierKey: planKeyValue(process.env.PLAN_KEYS ?? '', planKeyBucket(key.project)),
  };
};

/** The gateway remembers the answer, so that a key's day is noted here and not with each of its requests. */
const markUsed = async (key: ApiKey, requestId: string): Promise<void> => {
  try {
    await apiKeys.markUsed(key, new Date());
  } catch (error) {
    // What a key may do doesn't depend on it, and the next request notes it as well.
    logError('The use of a key could not be noted', error, { requestId });
  }
};

/** An unknown key counts as an error of the function, so that a failure has to be counted by itself. */
const find: (apiKey: string, requestId: string) => ReturnType<typeof apiKeys.get> = async (
  apiKey,
  requestId,
) => {
  try {
    return await apiKeys.get(apiKey);
  } catch (error) {
    logError('A key could not be looked up', error, { requestId });
    countFailure({ requestId });
    throw error;
  }
};

/** The answer is cached by key, so it has to hold for every method. Scopes are checked behind it. */
const wholeStage = (methodArn: string): string => `${methodArn.split('/').slice(0, 2).join('/')}/*`;
