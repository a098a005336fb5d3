import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import { retryPage } from '../../core/pages/notice-page.ts';
import { pageMessages } from '../../core/pages/page-language.ts';
import { errorKindOf } from '../../core/table/errors.ts';
import { countFailure, countMetric, logError } from '../frame/log.ts';
import { jsonResponse } from './responses.ts';

export type Handler = (event: LambdaFunctionURLEvent) => Promise<LambdaFunctionURLResult>;

/**
 * A handler that returns 503 for any error, most often because the table is unavailable or throttles; a retry usually
 * succeeds. Nothing was counted.
 */
export const orBusy =
  (busy: Handler, handler: Handler): Handler =>
  async (event) => {
    try {
      return await handler(event);
    } catch (error) {
      const { requestId } = event.requestContext;
      const reason = error instanceof Error ? error.name : String(error);
      countMetric('RedirectBusy', { requestId, reason });
      // The table's outages are temporary. Anything else is an error of the service.
      if (errorKindOf(error) === 'refused') {
        logError('A visitor could not be answered', error, { requestId });
        countFailure({ requestId });
      }
      return busy(event);
    }
  };

/** A page for people, which retries automatically. */
export const busyPageResponse: Handler = async (event) => {
  const page = retryPage(await pageMessages(event.headers['accept-language']));
  return { statusCode: 503, headers: page.headers, body: page.html };
};

/** A response for programs. */
export const busyJsonResponse: Handler = async () => {
  const error = 'This service is busy; try again in a moment';
  const { headers, ...answer } = jsonResponse(503, JSON.stringify({ error }));
  return { ...answer, headers: { ...headers, 'Retry-After': '3' } };
};
