import type { LambdaFunctionURLEvent } from 'aws-lambda';
import { knownCountry } from '../core/clicks/click.ts';
import { type Click, recordClick, recordExcluded } from '../core/clicks/click-store.ts';
import { type ExcludedCount, ExcludedVisits } from '../core/clicks/excluded-visits.ts';
import { classifyVisit, purposeHeader } from '../core/clicks/visit.ts';
import { addressOf, type Visitor, visitorHash } from '../core/clicks/visitor.ts';
import { countMetric } from './log.ts';

/** How long a visitor waits for their visit to be written, when the table is ill; a click is worth a moment. */
const deadlineMs = 1000;

const uniqueWindowSeconds = Number(process.env.UNIQUE_WINDOW_DAYS) * 86_400;

const excluded = new ExcludedVisits();

interface Followed {
  readonly project: string;
  readonly code: string;
  readonly visitor: Visitor;
  readonly now: Date;
}

/** Counts a visit as what it is. Never rejects: a visitor is sent on whatever becomes of the counting. */
export const countVisit = async (event: LambdaFunctionURLEvent, followed: Followed): Promise<void> => {
  const { headers, requestContext } = event;
  const { project, code, visitor, now } = followed;
  const purpose = headers[purposeHeader];
  const visit = classifyVisit({ method: requestContext.http.method, visitor, purpose });
  if (visit.kind === 'person') return count(clickOf(event, followed));
  const due = excluded.add({ project, code }, visit.reason, now.getTime());
  await Promise.all(due.map(countExcluded));
};

const clickOf = ({ headers, requestContext }: LambdaFunctionURLEvent, followed: Followed): Click => {
  const { project, code, visitor, now } = followed;
  const userAgent = headers['user-agent'] ?? '';
  const address = addressOf(headers['cloudfront-viewer-address'] ?? '');
  return {
    project,
    code,
    visitor: visitorHash(process.env.VISITOR_SECRET ?? '', { project, code, address, userAgent }),
    clickId: headers['x-amz-cf-id'] ?? requestContext.requestId,
    platform: visitor.platform,
    country: knownCountry(headers['cloudfront-viewer-country']),
    at: now,
    windowSeconds: uniqueWindowSeconds,
  };
};

const count = async (click: Click): Promise<void> => {
  try {
    await recordClick(click, deadlineMs);
  } catch (error) {
    lost('ClickLost', click, error);
  }
};

const countExcluded = async (visits: ExcludedCount): Promise<void> => {
  try {
    await recordExcluded(visits, deadlineMs);
  } catch (error) {
    lost('ExcludedVisitsLost', visits, error);
  }
};

const lost = (metric: string, { project, code }: { project: string; code: string }, error: unknown) =>
  countMetric(metric, { project, code, reason: error instanceof Error ? error.name : String(error) });
