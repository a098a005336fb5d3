import type * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { api, apiVersion } from '../core/api/index.ts';
import { routesOf } from '../core/api/routes.ts';
import type { Config } from './config.ts';

/** Calls a second of each method that needs no key: nobody can make them dear, or take what clients need. */
export const openRate = 10;
/** Of the members' console, which loads a page in several requests. A callback asks the issuer, which may count clients' calls. */
const consoleRates = [
  ['/console', 50],
  ['/console/{file+}', 50],
  ['/console/callback', openRate],
] as const;

/**
 * What each method takes. The stage's default is for those without a key: API Gateway has no name here for the `ANY` of a
 * path, and takes only some eighty values in one update of a stage, too few to name every method.
 */
export const methodRates = ({
  callsPerSecond,
  signIn,
}: Config): apigateway.CfnStage.MethodSettingProperty[] => [
  { ...rate('*', openRate, 50), resourcePath: '/*', dataTraceEnabled: false },
  ...routesOf(api).map(({ method, path }) => ({
    ...rate(method, callsPerSecond, Math.ceil(callsPerSecond / 2)),
    resourcePath: settingPath(`/${apiVersion}${path}`),
  })),
  ...(signIn ? consoleRates : []).flatMap(([path, calls]) =>
    ['GET', 'POST'].map((method) => ({
      ...rate(method, calls, 2 * calls),
      resourcePath: settingPath(path),
    })),
  ),
];

const rate = (httpMethod: string, throttlingRateLimit: number, throttlingBurstLimit: number) => ({
  httpMethod,
  throttlingRateLimit,
  throttlingBurstLimit,
});

const settingPath = (path: string): string => `/${path.replaceAll('/', '~1')}`;
