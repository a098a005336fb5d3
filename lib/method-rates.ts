import type * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { apiVersion } from '../core/api/index.ts';
import { referencePaths } from '../core/api/routes.ts';
import type { Config } from './config.ts';

/** Calls a second of each method that runs a function without a key, low enough to bound their cost and their share of the stage's rate. */
export const openRate = 10;
/** Paths, other than the console's, whose function needs no key. */
export const openPaths = referencePaths.map((path) => `/${apiVersion}${path}`);
const consolePaths = ['/console', '/console/{file+}'];
/** Rate of the members' console. A page takes several requests; sign-ins have fewer, because issuers may limit calls. */
const consoleRate = 50;
/** Paths whose only method of a function is GET. */
const signInPaths = ['/console/callback', '/console/sign-in'];

/**
 * Rates of methods. The stage's default applies to those that need a key, and to API Gateway's constant responses, which
 * cost no function. API Gateway accepts only about eighty values in one update of a stage, too few for every method.
 */
export const methodRates = ({
  callsPerSecond,
  signIn,
}: Config): apigateway.CfnStage.MethodSettingProperty[] => [
  {
    ...rate('', '*', callsPerSecond, Math.ceil(callsPerSecond / 2)),
    resourcePath: '/*',
    dataTraceEnabled: false,
  },
  ...openPaths.map((path) => rate(path, 'GET', openRate, 50)),
  ...(signIn ? signInPaths : []).map((path) => rate(path, 'GET', openRate, 2 * openRate)),
  // A path's `ANY` has no setting: API Gateway looks for the method that was asked for.
  ...(signIn ? consolePaths : []).flatMap((path) =>
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].map((method) => {
      const calls = /GET|POST/.test(method) ? consoleRate : openRate;
      return rate(path, method, calls, 2 * calls);
    }),
  ),
];

const rate = (
  path: string,
  httpMethod: string,
  throttlingRateLimit: number,
  throttlingBurstLimit: number,
) => ({
  resourcePath: `/${path.replaceAll('/', '~1')}`,
  httpMethod,
  throttlingRateLimit,
  throttlingBurstLimit,
});
