import { eachOf } from '../../core/base/each-of.ts';
import type { ServiceEvent } from '../../core/events/event.ts';
import { appsInChange, type ChangedLink, linkEvent } from '../../core/events/link-change.ts';
import { type EmittedVisit, visitEvents } from '../../core/events/visit-events.ts';
import type { UsesOf } from '../../core/functions.ts';
import type { StoredProject } from '../../core/projects/project-store.ts';
import type { Granted } from '../../core/stores.ts';
import {
  activeMs,
  type InactivePeriod,
  inactivePeriod,
  inactivePeriodsOf,
  isInactiveAt,
} from '../../core/webhooks/inactive-periods.ts';
import { stuckAfterMs } from '../../core/webhooks/retry-schedule.ts';
import type { SendWake } from '../../core/webhooks/wake.ts';
import type { KnownWebhook } from '../../core/webhooks/webhook-store.ts';
import { countMetric } from '../frame/log.ts';

export interface EmitterProps {
  readonly stores: Granted<UsesOf<'emit-events'>>;
  readonly wake: SendWake;
  readonly shortBase: string;
  readonly historyDays: number;
}

/** A change or visit for which an event may be emitted. */
export type Happened = ChangedLink | EmittedVisit;

const isVisit = (happened: Happened): happened is EmittedVisit => 'shown' in happened;

interface Recipient extends KnownWebhook {
  /** Periods in which it gets no events. */
  readonly inactive: readonly InactivePeriod[];
}

const wants = ({ webhook, inactive }: Recipient, { type, at }: Happened): boolean =>
  webhook.events.includes(type) && !isInactiveAt(inactive, at);

/** Something with the ids of the webhooks that get its event. */
interface Addressed<What> {
  readonly what: What;
  readonly webhooks: readonly string[];
}

const atOnce = 16;

/** Emits a project's events to its webhooks' deliveries, and wakes the sender. Throws if some may be missing. */
export const emitProjectEvents = async (
  project: string,
  happened: readonly Happened[],
  { stores, wake, shortBase }: EmitterProps,
): Promise<void> => {
  // Webhooks are read after the records, so they show for each whether a webhook was active at its time.
  const webhooks = await stores.webhooks.all(project);
  if (webhooks.length === 0) return;
  const standing = await stores.projects.standing(project);
  if (!standing || standing.deletedAt !== undefined) return;
  const suspensions = suspensionsOf(standing);
  const recipients = webhooks.map(
    (one): Recipient => ({
      ...one,
      inactive: [...inactivePeriodsOf(one.webhook, one.state), ...suspensions],
    }),
  );
  const open = await withoutStuck(recipients, happened.filter(isVisit), stores);
  const addressed = <What extends Happened>(some: readonly What[], among: readonly Recipient[]) =>
    some.flatMap((what): Addressed<What>[] => {
      const by = among.filter((one) => wants(one, what)).map(({ webhook }) => webhook.id);
      return by.length > 0 ? [{ what, webhooks: by }] : [];
    });
  const changes = addressed(
    happened.filter((one) => !isVisit(one)),
    recipients,
  );
  const apps = await stores.apps.existing(
    project,
    changes.flatMap(({ what }) => appsInChange(what)),
  );
  const events: Addressed<ServiceEvent | undefined>[] = [
    ...changes.map(({ what, webhooks }) => ({
      what: linkEvent(what, { project: standing, shortBase, apps }),
      webhooks,
    })),
    ...ofVisits(addressed(happened.filter(isVisit), open)),
  ];
  const now = new Date();
  // A body is stored before any delivery refers to it.
  const woken = new Set<string>();
  await eachOf(events, atOnce, async ({ what, webhooks }) => {
    if (!what) return;
    await stores.deliveries.add(what, webhooks, now);
    for (const webhook of webhooks) woken.add(webhook);
  });
  for (const webhook of woken) await wake({ project, webhook });
};

const suspensionsOf = ({ suspendedAt, formerSuspension }: StoredProject): InactivePeriod[] => [
  ...(suspendedAt === undefined ? [] : [inactivePeriod({ from: suspendedAt })]),
  ...(formerSuspension ? [formerSuspension, ...(formerSuspension.earlier ?? [])].map(inactivePeriod) : []),
];

/** Events of visits; those for the same webhooks are combined. */
const ofVisits = (visits: readonly Addressed<EmittedVisit>[]): Addressed<ServiceEvent>[] =>
  [...Map.groupBy(visits, ({ what, webhooks }) => [what.type, ...webhooks].join(' ')).values()].flatMap(
    (alike) =>
      visitEvents(alike.map(({ what }) => what)).map((what) => ({
        what,
        webhooks: alike[0]?.webhooks ?? [],
      })),
  );

/** The webhooks that aren't stuck. Visits for stuck ones are dropped. */
const withoutStuck = async (
  recipients: readonly Recipient[],
  visits: readonly EmittedVisit[],
  { deliveries }: EmitterProps['stores'],
): Promise<Recipient[]> => {
  const checked = await Promise.all(
    recipients.map(async (one) => {
      const dropped = visits.filter((visit) => wants(one, visit)).length;
      if (dropped === 0 || !(await isStuck(one, deliveries))) return [one];
      const { project, id } = one.webhook;
      countMetric('WebhookFailing', { project, webhook: id, dropped });
      return [];
    }),
  );
  return checked.flat();
};

/** Pending deliveries, about 6 KB, in which one without attempts is searched, the longest waiting first. */
const lookedAt = 25;

/** Whether deliveries to a webhook have failed for so long that further clicks and opens are dropped. */
const isStuck = async (
  { webhook, state: { failingSince }, inactive }: Recipient,
  deliveries: Pick<EmitterProps['stores']['deliveries'], 'pending'>,
): Promise<boolean> => {
  const waiting = await deliveries.pending(webhook, { limit: lookedAt });
  // If nothing is pending, the next visit shows whether the receiver works again.
  const failing = failingSince !== undefined && waiting.length > 0 ? Date.parse(failingSince) : undefined;
  const untried = waiting.find(({ attempts }) => attempts === 0)?.due;
  return [failing, untried].some(
    (at) => at !== undefined && activeMs(inactive, at, Date.now()) > stuckAfterMs,
  );
};
