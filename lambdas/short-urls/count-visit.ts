import type { LambdaFunctionURLEvent } from 'aws-lambda';
import { eachOf } from '../../core/base/each-of.ts';
import { valuesOf } from '../../core/figures/splits.ts';
import { type Decision, nameOf } from '../../core/rules/decide.ts';
import type { Granted } from '../../core/stores.ts';
import { kindOf } from '../../core/table/errors.ts';
import type { LinkId } from '../../core/table/keys.ts';
import type { PutAside } from '../../core/visits/click-queue.ts';
import { type Click, clickWrite } from '../../core/visits/click-store.ts';
import { clientSoftware } from '../../core/visits/client-software.ts';
import { type ExcludedCount, ExcludedVisits } from '../../core/visits/excluded-visits.ts';
import { referrerOf } from '../../core/visits/referrer.ts';
import { classifyVisit, purposeHeader, type Trigger } from '../../core/visits/visit.ts';
import type { Visitor } from '../../core/visits/visitor.ts';
import { visitorHash } from '../../core/visits/visitor-identity.ts';
import { countMetric } from '../log.ts';
import { hostOf, identityOf } from './answers.ts';
import { recorder } from './recorder.ts';

/** What counting takes beside the visit itself. */
export interface Counting {
  /** Keys the hashes by which returning visitors are recognised. */
  readonly visitorSecret: string;
  /** How long a visitor counts as the same one. */
  readonly uniqueWindowSeconds: number;
  /** Takes the clicks that the table doesn't take in time. */
  readonly putAside: PutAside;
}

type Stores = Granted<'clicks.record' | 'excluded.add'>;

interface Followed extends LinkId {
  readonly visitor: Visitor;
  readonly trigger: Trigger;
  /** In how many groups the link's visitors are. */
  readonly groups?: number | undefined;
  /** The link's rule that decided, if one did. */
  readonly decision?: Decision | undefined;
  readonly debug?: boolean;
  readonly now: Date;
}

/** Counts a visit by its kind. Never rejects: the visitor is redirected even if counting fails. */
export type CountVisit = (event: LambdaFunctionURLEvent, followed: Followed) => Promise<void>;

export const visitCounter = (stores: Stores, counting: Counting): CountVisit => {
  const gathered = new ExcludedVisits();
  const record = recorder(stores, counting.putAside);

  const countExcluded = async (visits: ExcludedCount, now: number): Promise<void> => {
    const link = { project: visits.project, code: visits.code };
    try {
      await stores.excluded.add(visits);
    } catch (error) {
      if (kindOf(error) === 'busy') gathered.giveBack(visits, now);
      else countMetric('ExcludedVisitsLost', { ...link, reason: error instanceof Error ? error.name : '' });
    }
  };

  return async (event, followed) => {
    const { headers, requestContext } = event;
    const { project, code, now } = followed;
    const purpose = headers[purposeHeader];
    const visit = classifyVisit({ ...followed, method: requestContext.http.method, purpose });
    if (visit.kind === 'person') return record(clickWrite(clickOf(event, followed, counting)));
    const due = gathered.add({ project, code }, visit.reason, now.getTime());
    await eachOf(due, 32, (visits) => countExcluded(visits, now.getTime()));
  };
};

const clickOf = (
  event: LambdaFunctionURLEvent,
  { project, code, groups, visitor, trigger, decision, now }: Followed,
  { visitorSecret, uniqueWindowSeconds }: Counting,
): Click => {
  const { headers, requestContext } = event;
  const { address, userAgent } = identityOf(event);
  return {
    project,
    code,
    visitor: visitorHash(visitorSecret, { project, code, address, userAgent }),
    clickId: headers['x-amz-cf-id'] ?? requestContext.requestId,
    ...valuesOf({
      headers,
      platform: visitor.platform,
      referrer: referrerOf(headers.referer, hostOf(event)),
      ...clientSoftware(userAgent),
      trigger,
      rule: decision && nameOf(decision),
      at: now,
    }),
    at: now,
    windowSeconds: uniqueWindowSeconds,
    groups,
  };
};
