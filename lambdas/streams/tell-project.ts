import { eachOf } from '../../core/base/each-of.ts';
import type { EventType, ServiceEvent } from '../../core/events/event.ts';
import { appsOf, type LinkChange, linkEvent } from '../../core/events/link-change.ts';
import type { StreamRecord } from '../../core/events/stream-change.ts';
import { type ToldVisit, visitEvent, visitsTogether } from '../../core/events/visit-events.ts';
import type { UsesOf } from '../../core/functions.ts';
import type { StoredProject } from '../../core/projects/project-store.ts';
import type { Granted } from '../../core/stores.ts';
import { isSilent, type Silence, silence, silencesOf } from '../../core/webhooks/silences.ts';
import type { SendWake } from '../../core/webhooks/wake.ts';
import { countMetric } from '../log.ts';
import { isStuck, type Listener } from './stuck-webhooks.ts';

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
  const suspensions = suspensionsOf(standing);
  const listeners = webhooks.map(
    ({ webhook, state }): Listener => ({
      webhook,
      state,
      silences: [...silencesOf(webhook, state), ...suspensions],
    }),
  );
  const heardBy = heard.flatMap((one) => {
    const by = listeners.filter(
      ({ webhook, silences }) => webhook.events.includes(one.type) && !isSilent(silences, one.at),
    );
    return by.length > 0 ? [{ one, by }] : [];
  });
  const changes = heardBy.flatMap(({ one: { change }, by }) => (change ? [{ change, by }] : []));
  const visits = heardBy.flatMap(({ one: { visit }, by }) => (visit ? [{ visit, by }] : []));
  const told = [
    ...(await ofChanges(changes, standing, { stores, shortBase })),
    ...ofVisits(await withoutStuck(visits, stores)),
  ];
  const now = new Date();
  // What is sent is stored before any delivery names it.
  await eachOf(told, atOnce, ({ event, webhooks }) => stores.deliveries.add(event, webhooks, now));
  for (const webhook of new Set(told.flatMap(({ webhooks }) => webhooks))) await wake({ project, webhook });
};

const suspensionsOf = ({ suspendedAt, formerSuspension }: StoredProject): Silence[] => [
  ...(suspendedAt === undefined ? [] : [silence({ from: suspendedAt })]),
  ...(formerSuspension ? [formerSuspension, ...(formerSuspension.earlier ?? [])].map(silence) : []),
];

interface ChangeFor {
  readonly change: LinkChange;
  readonly by: readonly Listener[];
}

const idsOf = (listeners: readonly Listener[]): string[] => listeners.map(({ webhook }) => webhook.id);

const ofChanges = async (
  changes: readonly ChangeFor[],
  project: StoredProject,
  { stores, shortBase }: Pick<TellerProps, 'stores' | 'shortBase'>,
): Promise<Told[]> => {
  const apps = await stores.apps.existing(
    project.id,
    changes.flatMap(({ change }) => appsOf(change)),
  );
  return changes.flatMap(({ change, by }) => {
    const event = linkEvent(change, { project, shortBase, apps });
    return event ? [{ event, webhooks: idsOf(by) }] : [];
  });
};

interface VisitFor {
  readonly visit: ToldVisit;
  readonly by: readonly Listener[];
}

/** Visits that the same webhooks are told of share events. */
const ofVisits = (visits: readonly VisitFor[]): Told[] =>
  [...Map.groupBy(visits, ({ visit, by }) => [visit.type, ...idsOf(by)].join(' ')).values()].flatMap(
    (alike) =>
      Array.from({ length: Math.ceil(alike.length / visitsTogether) }, (_, i) => {
        const together = alike.slice(i * visitsTogether, (i + 1) * visitsTogether);
        return {
          event: visitEvent(together.map(({ visit }) => visit)),
          webhooks: idsOf(together[0]?.by ?? []),
        };
      }),
  );

/** Drops visits for webhooks to which nothing gets through. */
const withoutStuck = async (
  visits: readonly VisitFor[],
  { deliveries }: TellerProps['stores'],
): Promise<VisitFor[]> => {
  const listeners = [...new Set(visits.flatMap(({ by }) => by))];
  const checked = await Promise.all(
    listeners.map(async (one) => [one, await isStuck(one, deliveries)] as const),
  );
  const stuck = new Set(checked.flatMap(([one, isSo]) => (isSo ? [one] : [])));
  for (const one of stuck) {
    const { project, id } = one.webhook;
    const dropped = visits.filter(({ by }) => by.includes(one)).length;
    countMetric('WebhookFailing', { project, webhook: id, dropped });
  }
  return visits.flatMap(({ visit, by }) => {
    const open = by.filter((one) => !stuck.has(one));
    return open.length > 0 ? [{ visit, by: open }] : [];
  });
};
