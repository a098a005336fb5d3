import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CfnOutput, Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { buildSync } from 'esbuild';
import type { Config } from './config.ts';
import { consoleBundle, isPackage, logoUrl, withBrand } from './console-bundle.ts';
import { addConstant, wrongMethod } from './constant-responses.ts';
import { ServiceFunction } from './function.ts';
import { rowOf } from './functions.ts';
import type { FunctionSettings } from './service.ts';

/** The members' console, in the same API. `redirect` is the issuer's redirect URI. */
export const addSignIn = (
  parent: Construct,
  rest: apigateway.RestApi,
  redirect: string,
  service: FunctionSettings,
): ServiceFunction => {
  const scope = new Construct(parent, 'SignIn');
  const row = { ...rowOf('sign-in'), files: () => pageFiles(service.config) };
  const made = new ServiceFunction(scope, row, { ...service, signInRedirect: redirect });
  const page = rest.root.addResource('console');
  const open = { authorizationType: apigateway.AuthorizationType.NONE };
  for (const resource of [page, page.addResource('{file+}')])
    resource.addMethod('ANY', made.integration(), open);
  // These have lower rates, and a setting of the stage for each method of a function.
  for (const name of ['callback', 'sign-in']) {
    const resource = page.addResource(name);
    resource.addMethod('GET', made.integration(), open);
    addConstant(resource, 'ANY', wrongMethod(['GET'], service.config.rateLimitPerHour));
  }
  return made;
};

/** The issuer's redirect URI. It is built from names, because a reference to the stage would be circular. */
export const signInRedirect = (rest: apigateway.RestApi, { api, stage }: Config): string => {
  const { region, urlSuffix } = Stack.of(rest);
  const base = api
    ? `https://${api.name}`
    : `https://${rest.restApiId}.execute-api.${region}.${urlSuffix}/${stage}`;
  new CfnOutput(Stack.of(rest), 'SignInRedirect', { value: `${base}/console/callback` });
  return `${base}/console/callback`;
};

const pageFiles = ({ consoleName: name, consoleLogo }: Config): Record<string, string> => {
  const brand = { name, logo: consoleLogo && logoUrl(consoleLogo) };
  const options = consoleBundle('member.tsx', brand);
  const read = (name: string) => readFileSync(path.join(options.absWorkingDir, name), 'utf8');
  const built = isPackage
    ? { 'app.js': withBrand(read('app.js'), brand), 'style.css': read('style.css') }
    : Object.fromEntries(
        buildSync(options).outputFiles.map(({ path: file, text }) => [path.basename(file), text]),
      );
  return {
    ...built,
    'index.html': read('member.html'),
    'icon.svg': read('icon.svg'),
  };
};
