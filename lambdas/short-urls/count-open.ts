import type { LambdaFunctionURLEvent } from 'aws-lambda';
import type { Granted } from '../../core/stores.ts';
import { openerOf } from '../../core/visits/app-client.ts';
import type { PutAside } from '../../core/visits/click-queue.ts';
import { type AppOpen, openWrite } from '../../core/visits/click-store.ts';
import { classifyVisit, purposeHeader } from '../../core/visits/visit.ts';
import { openingHash, visitorHash } from '../../core/visits/visitor-identity.ts';
import { identityOf, userAgentOf, visitIdOf } from './answers.ts';
import { recorder } from './recorder.ts';

/** What counting takes beside the visit or open itself. */
export interface OpenCounting {
  /** Keys the hashes by which returning visitors are recognised. */
  readonly visitorSecret: string;
  /** Takes what the table doesn't take in time. */
  readonly putAside: PutAside;
}

/**
 * Counts that an app was opened with a link, unless the request only looks or a machine sent it. Never rejects: the app
 * gets its response whatever becomes of the counting.
 */
export const openCounter = (stores: Granted<'clicks.record'>, { visitorSecret, putAside }: OpenCounting) => {
  const record = recorder(stores, putAside);
  return async (
    event: LambdaFunctionURLEvent,
    { openId, ...opened }: Omit<AppOpen, 'visitor' | 'requestId'> & { readonly openId?: string | undefined },
  ): Promise<void> => {
    const visit = classifyVisit({
      method: event.requestContext.http.method,
      visitor: openerOf(userAgentOf(event)),
      purpose: event.headers[purposeHeader],
    });
    if (visit.kind !== 'person') return;
    const act =
      openId === undefined
        ? {
            visitor: visitorHash(visitorSecret, { ...opened, ...identityOf(event) }),
            requestId: visitIdOf(event),
          }
        : { visitor: openingHash(visitorSecret, opened, openId) };
    await record(openWrite({ ...opened, ...act }));
  };
};
