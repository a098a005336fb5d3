import type { LambdaFunctionURLEvent } from 'aws-lambda';
import { ownOf, valuesOf } from '../../core/analytics/dimensions.ts';
import { eachOf } from '../../core/base/each-of.ts';
import { decisionName } from '../../core/rules/decide.ts';
import { clickedCampaign } from '../../core/short-urls/clicked-campaign.ts';
import type { Arrival } from '../../core/short-urls/routing.ts';
import type { FoundLink } from '../../core/short-urls/short-link-store.ts';
import type { Granted } from '../../core/stores.ts';
import { errorKindOf } from '../../core/table/errors.ts';
import { type Click, clickWrite } from '../../core/visits/click-store.ts';
import { browserOf, systemOf } from '../../core/visits/client-software.ts';
import { type ExcludedCount, ExcludedVisits } from '../../core/visits/excluded-visits.ts';
import { referrerOf } from '../../core/visits/referrer.ts';
import { classifyVisit, purposeHeader, type Trigger } from '../../core/visits/visit.ts';
import { visitorHash } from '../../core/visits/visitor-identity.ts';
import { countMetric } from '../frame/log.ts';
import type { OpenCounting } from './count-open.ts';
import { recorder } from './recorder.ts';
import { hostOf, identityOf, visitIdOf } from './responses.ts';

export interface Counting extends OpenCounting {
  /** The time in which a visitor's next click isn't a unique one. */
  readonly uniqueWindowSeconds: number;
}

type Stores = Granted<'clicks.record' | 'excluded.add'>;

export interface VisitedLink extends Arrival {
  readonly foundLink: FoundLink;
  readonly trigger: Trigger;
  readonly debug?: boolean;
}

/** Counts a visit by its kind. Never rejects, because the visitor is redirected even if counting fails. */
export type CountVisit = (event: LambdaFunctionURLEvent, visited: VisitedLink) => Promise<void>;

export const visitCounter = (stores: Stores, counting: Counting): CountVisit => {
  const gathered = new ExcludedVisits();
  const record = recorder(stores, counting.enqueueClick);

  const countExcluded = async (visits: ExcludedCount, now: number): Promise<void> => {
    try {
      await stores.excluded.add(visits);
    } catch (error) {
      const { project, code } = visits;
      const reason = error instanceof Error ? error.name : '';
      if (errorKindOf(error) === 'busy') gathered.giveBack(visits, now);
      else countMetric('ExcludedVisitsLost', { project, code, reason });
    }
  };

  return async (event, visited) => {
    const purpose = event.headers[purposeHeader];
    const visit = classifyVisit({ ...visited, method: event.requestContext.http.method, purpose });
    if (visit.kind === 'person') return record(clickWrite(clickOf(event, visited, counting)));
    const now = visited.now.getTime();
    await eachOf(gathered.add(visited.foundLink, visit.reason, now), 32, (visits) =>
      countExcluded(visits, now),
    );
  };
};

const clickOf = (
  event: LambdaFunctionURLEvent,
  { foundLink, trigger, decision, ...arrival }: VisitedLink,
  { visitorSecret, uniqueWindowSeconds }: Counting,
): Click => {
  const { headers } = event;
  const { project, code, link } = foundLink;
  const { visitor, now } = arrival;
  const identity = identityOf(event);
  const { own, ...campaign } = clickedCampaign(link, arrival);
  return {
    project,
    code,
    groups: link.groups,
    tags: link.tags,
    own: ownOf(campaign, own),
    at: now,
    windowSeconds: uniqueWindowSeconds,
    visitor: visitorHash(visitorSecret, { project, code, ...identity }),
    clickId: visitIdOf(event),
    ...valuesOf({
      headers,
      platform: visitor.platform,
      referrer: referrerOf(headers.referer, hostOf(event)),
      browser: browserOf(identity.userAgent),
      os: systemOf(identity.userAgent),
      trigger,
      ...campaign,
      rule: decision && decisionName(decision),
      at: now,
    }),
  };
};
