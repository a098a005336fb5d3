import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import type { UsesOf } from '../../core/functions.ts';
import { androidAssociation, appleAssociation, type HostShare } from '../../core/short-urls/association.ts';
import type { Granted } from '../../core/stores.ts';
import { hostOf, notFoundAnswer } from './answers.ts';

const associations = new Map<string, (shares: readonly HostShare[]) => object>([
  ['/.well-known/apple-app-site-association', appleAssociation],
  ['/apple-app-site-association', appleAssociation],
  ['/.well-known/assetlinks.json', androidAssociation],
]);

/** The files by which phones learn that an installed app opens a host's addresses. Minutes old at most. */
export const wellKnown =
  ({ hostShares }: Granted<UsesOf<'well-known'>>) =>
  async (event: LambdaFunctionURLEvent): Promise<LambdaFunctionURLResult> => {
    const association = associations.get(event.rawPath);
    if (!association) return notFoundAnswer(event);
    return {
      statusCode: 200,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' },
      body: JSON.stringify(association(await hostShares.of(hostOf(event)))),
    };
  };
