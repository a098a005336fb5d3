import type { LambdaFunctionURLEvent } from 'aws-lambda';
import { knownCountry } from '../../core/clicks/click.ts';
import type { Click } from '../../core/clicks/click-store.ts';
import { clientSoftware } from '../../core/clicks/client-software.ts';
import { type ExcludedCount, ExcludedVisits } from '../../core/clicks/excluded-visits.ts';
import { referrerOf } from '../../core/clicks/referrer.ts';
import { classifyVisit, purposeHeader, type Trigger } from '../../core/clicks/visit.ts';
import { addressOf, type Visitor, visitorHash } from '../../core/clicks/visitor.ts';
import type { Granted } from '../../core/stores.ts';
import { kindOf } from '../../core/table/errors.ts';
import { countMetric } from '../log.ts';
import { hostOf, userAgentOf } from './answers.ts';

/** What counting takes beside the visit itself. */
export interface Counting {
  /** Keys the hashes by which returning visitors are recognised. */
  readonly visitorSecret: string;
  /** How long a visitor counts as the same one. */
  readonly uniqueWindowSeconds: number;
}

type Stores = Granted<'clicks.record' | 'excluded.add'>;

interface Followed {
  readonly project: string;
  readonly code: string;
  readonly visitor: Visitor;
  readonly trigger: Trigger;
  readonly debug?: boolean;
  readonly now: Date;
}

/** Counts a visit by its kind. Never rejects: the visitor is redirected even if counting fails. */
export type CountVisit = (event: LambdaFunctionURLEvent, followed: Followed) => Promise<void>;

export const visitCounter = (stores: Stores, counting: Counting): CountVisit => {
  const gathered = new ExcludedVisits();

  const count = async (click: Click): Promise<void> => {
    try {
      await stores.clicks.record(click);
    } catch (error) {
      lost('ClickLost', click, error);
    }
  };

  const countExcluded = async (visits: ExcludedCount, now: number): Promise<void> => {
    try {
      await stores.excluded.add(visits);
    } catch (error) {
      if (kindOf(error) === 'busy') gathered.giveBack(visits, now);
      else lost('ExcludedVisitsLost', visits, error);
    }
  };

  return async (event, followed) => {
    const { headers, requestContext } = event;
    const { project, code, now } = followed;
    const purpose = headers[purposeHeader];
    const visit = classifyVisit({ ...followed, method: requestContext.http.method, purpose });
    if (visit.kind === 'person') return count(clickOf(event, followed, counting));
    const due = gathered.add({ project, code }, visit.reason, now.getTime());
    await Promise.all(due.map((visits) => countExcluded(visits, now.getTime())));
  };
};

const clickOf = (
  event: LambdaFunctionURLEvent,
  { project, code, visitor, trigger, now }: Followed,
  { visitorSecret, uniqueWindowSeconds }: Counting,
): Click => {
  const { headers, requestContext } = event;
  const userAgent = userAgentOf(event);
  const address = addressOf(headers['cloudfront-viewer-address'] ?? '');
  return {
    project,
    code,
    visitor: visitorHash(visitorSecret, { project, code, address, userAgent }),
    clickId: headers['x-amz-cf-id'] ?? requestContext.requestId,
    platform: visitor.platform,
    country: knownCountry(headers['cloudfront-viewer-country']),
    referrer: referrerOf(headers.referer, hostOf(event)),
    ...clientSoftware(userAgent),
    trigger,
    at: now,
    windowSeconds: uniqueWindowSeconds,
  };
};

const lost = (metric: string, { project, code }: { project: string; code: string }, error: unknown) =>
  countMetric(metric, { project, code, reason: error instanceof Error ? error.name : String(error) });
