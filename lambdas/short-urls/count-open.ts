import type { LambdaFunctionURLEvent } from 'aws-lambda';
import { openerOf } from '../../core/clicks/app-client.ts';
import type { AppOpen } from '../../core/clicks/click-store.ts';
import { classifyVisit, purposeHeader } from '../../core/clicks/visit.ts';
import { addressOf, visitorHash } from '../../core/clicks/visitor.ts';
import type { Granted } from '../../core/stores.ts';
import { countMetric } from '../log.ts';
import { userAgentOf } from './answers.ts';

type Opened = Pick<AppOpen, 'project' | 'code' | 'platform' | 'isFirst' | 'at'>;

/**
 * Counts that an app was opened with a link, unless the request only looks or a machine sent it. Never rejects: the app
 * gets its answer whatever becomes of the counting.
 */
export const openCounter =
  (clicks: Granted<'clicks.recordOpen'>['clicks'], visitorSecret: string) =>
  async (event: LambdaFunctionURLEvent, opened: Opened): Promise<void> => {
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
    try {
      await clicks.recordOpen({
        ...opened,
        visitor: visitorHash(visitorSecret, { project, code, address, userAgent }),
        openId: headers['x-amz-cf-id'] ?? requestContext.requestId,
      });
    } catch (error) {
      const reason = error instanceof Error ? error.name : String(error);
      countMetric('ClickLost', { project, code, reason });
    }
  };
