import type { EventType, ServiceEvent } from '../../core/events/event.ts';
import { appsOf, type LinkChange, linkEvent } from '../../core/events/link-change.ts';
import type { StreamRecord } from '../../core/events/stream-change.ts';
import { type ToldVisit, visitEvent, visitsTogether } from '../../core/events/visit-events.ts';
import type { UsesOf } from '../../core/functions.ts';
import type { StoredProject } from '../../core/projects/project-store.ts';
import type { Granted } from '../../core/stores.ts';
import { mostPending } from '../../core/webhooks/delivery-store.ts';
import type { SendWake } from '../../core/webhooks/wake.ts';
import { hears } from '../../core/webhooks/webhook.ts';
import type { KnownWebhook } from '../../core/webhooks/webhook-store.ts';
import { countMetric } from '../log.ts';

export interface TellerProps {
  readonly stores: Granted<UsesOf<'tell'>>;
  readonly wake: SendWake;
  readonly shortBase: string;
}

/** What a record says that receivers may be told. */
export interface Heard {
  readonly project: string;
  readonly type: EventType;
  /** In epoch milliseconds. */
  readonly at: number;
  readonly record: StreamRecord;
  readonly change?: LinkChange;
  readonly visit?: ToldVisit;
}

/** An event with the ids of the webhooks that are told of it. */
interface Told {
  readonly event: ServiceEvent;
  readonly webhooks: readonly string[];
}

const atOnce = 16;

/** Adds what happened in a project to the deliveries of its webhooks, and wakes the sender. Throws if some may be missing. */
export const tellProject = async (
  project: string,
  heard: readonly Heard[],
  { stores, wake, shortBase }: TellerProps,
): Promise<void> => {
  // Read after the records: so it says of each whether somebody listened at its time.
  const webhooks = await stores.webhooks.all(project);
  if (webhooks.length === 0) return;
  const standing = await stores.projects.standing(project);
  if (!standing || standing.deletedAt !== undefined) return;
  const listeners = heard.flatMap((one) => {
    const ids = isSuspendedAt(standing, one.at) ? [] : listenersOf(webhooks, one);
    return ids.length > 0 ? [{ one, ids }] : [];
  });
  const changes = listeners.flatMap(({ one: { change }, ids }) => (change ? [{ change, ids }] : []));
  const visits = listeners.flatMap(({ one: { visit }, ids }) => (visit ? [{ visit, ids }] : []));
  const told = [...(await ofChanges(changes, standing, { stores, shortBase })), ...ofVisits(visits)];
  const woken = await deliver(told, project, stores);
  for (const webhook of woken) await wake({ project, webhook });
};

const isSuspendedAt = ({ suspendedAt, formerSuspension: former }: StoredProject, at: number): boolean =>
  (suspendedAt !== undefined && at >= Date.parse(suspendedAt)) ||
  (former !== undefined && at >= Date.parse(former.from) && at < Date.parse(former.to));

const listenersOf = (webhooks: readonly KnownWebhook[], { type, at }: Heard): string[] =>
  webhooks
    .filter(({ webhook, state }) => webhook.events.includes(type) && hears(webhook, state, at))
    .map(({ webhook }) => webhook.id);

interface ChangeFor {
  readonly change: LinkChange;
  readonly ids: readonly string[];
}

const ofChanges = async (
  changes: readonly ChangeFor[],
  project: StoredProject,
  { stores, shortBase }: Pick<TellerProps, 'stores' | 'shortBase'>,
): Promise<Told[]> => {
  const apps = await stores.apps.existing(
    project.id,
    changes.flatMap(({ change }) => appsOf(change)),
  );
  return changes.flatMap(({ change, ids }) => {
    const event = linkEvent(change, { project, shortBase, apps });
    return event ? [{ event, webhooks: ids }] : [];
  });
};

interface VisitFor {
  readonly visit: ToldVisit;
  readonly ids: readonly string[];
}

/** Visits that the same webhooks are told of share events. */
const ofVisits = (visits: readonly VisitFor[]): Told[] =>
  [...Map.groupBy(visits, ({ visit, ids }) => [visit.type, ...ids].join(' ')).values()].flatMap((alike) =>
    Array.from({ length: Math.ceil(alike.length / visitsTogether) }, (_, i) => {
      const together = alike.slice(i * visitsTogether, (i + 1) * visitsTogether);
      return {
        event: visitEvent(together.map(({ visit }) => visit)),
        webhooks: together[0]?.ids ?? [],
      };
    }),
  );

/** Resolves to the webhooks with something to send. What is sent is stored before any delivery names it. */
const deliver = async (
  told: readonly Told[],
  project: string,
  { deliveries }: TellerProps['stores'],
): Promise<ReadonlySet<string>> => {
  const now = new Date();
  const woken = new Set<string>();
  const full = await fullWebhooks(told, project, deliveries);
  const queue = told.values();
  const worker = async () => {
    for (const { event, webhooks } of queue) {
      const isOfVisits = !event.type.startsWith('link.') || event.type === 'link.clicked';
      const open = isOfVisits ? webhooks.filter((webhook) => !full.has(webhook)) : webhooks;
      if (open.length === 0) continue;
      await deliveries.keep(event, now);
      for (const webhook of open) {
        await deliveries.add(event, webhook, now);
        woken.add(webhook);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return woken;
};

/** Webhooks that keep as many deliveries of clicks and opens waiting as they may. */
const fullWebhooks = async (
  told: readonly Told[],
  project: string,
  deliveries: TellerProps['stores']['deliveries'],
): Promise<ReadonlySet<string>> => {
  const ofVisits = told.filter(({ event: { type } }) => type === 'link.clicked' || type === 'app.opened');
  const ids = [...new Set(ofVisits.flatMap(({ webhooks }) => webhooks))];
  const full = new Set<string>();
  for (const id of ids) {
    if ((await deliveries.countPending({ project, id }, mostPending)) < mostPending) continue;
    full.add(id);
    countMetric('WebhookFailing', { project, webhook: id, dropped: ofVisits.length });
  }
  return full;
};
