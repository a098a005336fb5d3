import type { LambdaFunctionURLEvent } from 'aws-lambda';
import type { Granted } from '../../core/stores.ts';
import { openerOf } from '../../core/visits/app-client.ts';
import type { PutAside } from '../../core/visits/click-queue.ts';
import { type AppOpen, openWrite } from '../../core/visits/click-store.ts';
import { classifyVisit, purposeHeader } from '../../core/visits/visit.ts';
import { addressOf, visitorHash } from '../../core/visits/visitor-identity.ts';
import { userAgentOf } from './answers.ts';
import { recorder } from './recorder.ts';

type Opened = Pick<AppOpen, 'project' | 'code' | 'groups' | 'platform' | 'isFirst' | 'at'>;

/** What counting takes beside the open itself. */
export interface OpenCounting {
  /** Keys the hashes by which returning visitors are recognised. */
  readonly visitorSecret: string;
  /** Takes the opens that the table doesn't take in time. */
  readonly putAside: PutAside;
}

/**
 * Counts that an app was opened with a link, unless the request only looks or a machine sent it. Never rejects: the app
 * gets its response whatever becomes of the counting.
 */
export const openCounter = (stores: Granted<'clicks.record'>, { visitorSecret, putAside }: OpenCounting) => {
  const record = recorder(stores, putAside);
  return async (event: LambdaFunctionURLEvent, opened: Opened): Promise<void> => {
    const { headers, requestContext } = event;
    const userAgent = userAgentOf(event);
    const visit = classifyVisit({
      method: requestContext.http.method,
      visitor: openerOf(userAgent),
      purpose: headers[purposeHeader],
    });
    if (visit.kind !== 'person') return;
    const { project, code } = opened;
    const address = addressOf(headers['cloudfront-viewer-address'] ?? '');
    const visitor = visitorHash(visitorSecret, { project, code, address, userAgent });
    const openId = headers['x-amz-cf-id'] ?? requestContext.requestId;
    await record(openWrite({ ...opened, visitor, openId }));
  };
};
