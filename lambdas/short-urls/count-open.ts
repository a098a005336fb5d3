import type { LambdaFunctionURLEvent } from 'aws-lambda';
import type { Granted } from '../../core/stores.ts';
import { openerOf } from '../../core/visits/app-client.ts';
import type { EnqueueClick } from '../../core/visits/click-queue.ts';
import { type AppOpen, openWrite } from '../../core/visits/click-store.ts';
import { classifyVisit, purposeHeader } from '../../core/visits/visit.ts';
import { openIdHash, visitorHash } from '../../core/visits/visitor-identity.ts';
import { recorder } from './recorder.ts';
import { identityOf, userAgentOf, visitIdOf } from './responses.ts';

/** Settings for counting visits and opens. */
export interface OpenCounting {
  /** The key of the hashes that recognize returning visitors. */
  readonly visitorSecret: string;
  /** Queues writes that the table doesn't take in time. */
  readonly enqueueClick: EnqueueClick;
}

/**
 * Counts an app's open of a link, except for HEAD, prefetches and machines. Never rejects, because the app gets its
 * response even if counting fails.
 */
export const openCounter = (
  stores: Granted<'clicks.record'>,
  { visitorSecret, enqueueClick }: OpenCounting,
) => {
  const record = recorder(stores, enqueueClick);
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
        : { visitor: openIdHash(visitorSecret, opened, openId) };
    await record(openWrite({ ...opened, ...act }));
  };
};
