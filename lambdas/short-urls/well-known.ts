import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import type { UsesOf } from '../../core/functions.ts';
import { securityTxt } from '../../core/pages/abuse-note.ts';
import { androidAssociation, appleAssociation, type HostShare } from '../../core/short-urls/association.ts';
import type { Granted } from '../../core/stores.ts';
import { busyJsonResponse, orBusy } from './busy.ts';
import { type Abuse, hostOf, notFound, schemeOf } from './responses.ts';

const associations = new Map<string, (shares: readonly HostShare[]) => object>([
  ['/.well-known/apple-app-site-association', appleAssociation],
  ['/apple-app-site-association', appleAssociation],
  ['/.well-known/assetlinks.json', androidAssociation],
]);

const securityPath = '/.well-known/security.txt';

/** The security.txt with the contact for reporting abuse. */
const securityFile = (event: LambdaFunctionURLEvent, abuseContact: string): LambdaFunctionURLResult => {
  const now = new Date(event.requestContext.timeEpoch);
  const url = `${schemeOf(event)}://${hostOf(event)}${securityPath}`;
  return {
    statusCode: 200,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=300' },
    body: securityTxt(abuseContact, { now, url }),
  };
};

/** The association files that tell phones which apps open a host's URLs. They are at most minutes old. */
export const wellKnown = ({ hostShares }: Granted<UsesOf<'well-known'>>, abuse: Abuse = {}) => {
  return orBusy(busyJsonResponse, async (event) => {
    if (event.rawPath === securityPath && abuse.abuseContact !== undefined)
      return securityFile(event, abuse.abuseContact);
    const association = associations.get(event.rawPath);
    if (!association) return notFound(abuse, event);
    return {
      statusCode: 200,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' },
      body: JSON.stringify(association(await hostShares.of(hostOf(event)))),
    };
  });
};
