import type * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { api, apiVersion } from '../core/api/index.ts';
import { apiRoutesOf } from '../core/api/routes.ts';
import type { Config } from './config.ts';

/** Calls a second of each method without a key, low enough to bound their cost and their share of the stage's rate. */
export const openRate = 10;
/** Rates of the members' console. A page takes several requests; callbacks have fewer, because issuers may limit calls. */
const consoleRates = [
  ['/console', 50],
  ['/console/{file+}', 50],
  ['/console/callback', openRate],
] as const;

/**
 * Rates of all methods. The stage's default applies to those without a key: API Gateway has no setting for a path's
 * `ANY`, and accepts only about eighty values in one update of a stage, too few for every method.
 */
export const methodRates = ({
  callsPerSecond,
  signIn,
}: Config): apigateway.CfnStage.MethodSettingProperty[] => [
  { ...rate('*', openRate, 50), resourcePath: '/*', dataTraceEnabled: false },
  ...apiRoutesOf(api).map(({ method, path }) => ({
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
