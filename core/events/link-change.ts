import { analyticsOf } from '../analytics/analytics.ts';
import { fromItem, type Link, namedApps } from '../links/link.ts';
import { type changeNote, expiredAt } from '../links/link-writes.ts';
import { presentLink, withApps } from '../links/shown-link.ts';
import { listedLink } from '../links/shown-link-schema.ts';
import type { Project } from '../projects/project.ts';
import type { Item } from '../table/table.ts';
import { type EventType, eventOf, type Happening, type ServiceEvent, type VisitEventType } from './event.ts';
import type { StreamChange } from './stream-change.ts';

type LinkEventType = Exclude<EventType, VisitEventType>;

/** A change of a link that emits an event. */
export interface ChangedLink extends Omit<Happening, 'data'> {
  readonly type: LinkEventType;
  readonly link: Link;
  readonly before: Link | undefined;
  readonly by: string | null;
}

/** The note that a write stores with the link. */
type Noted = ReturnType<typeof changeNote>;

/** The change in a record of a link's item. Undefined if it emits no event. */
export const linkChangeOf = ({ after, before, takenIn, name }: StreamChange): ChangedLink | undefined => {
  const note = newlyNoted(after, before);
  const type = after && typeOf(after, before);
  if (!after || !type) return undefined;
  const link = fromItem(after);
  const stated = type === 'link.expired' ? expiredAt(after) : Date.parse(note?.at ?? '');
  return {
    ...{ type, project: link.project, takenIn, of: [name], link },
    at: Number.isNaN(stated) ? takenIn : stated,
    before: before && fromItem(before),
    by: note?.by ?? (type === 'link.created' ? link.createdBy : null),
    isQuiet: note?.quiet,
  };
};

/** The write's note. Undefined if the item still has the note of an earlier change. */
const newlyNoted = (after: Item | undefined, before: Item | undefined): Noted | undefined => {
  const [now, then] = [after?.change, before?.change] as (Noted | undefined)[];
  return now?.at === then?.at && now?.by === then?.by && now?.mark === then?.mark ? undefined : now;
};

const typeOf = (after: Item, before: Item | undefined): LinkEventType | undefined => {
  if (!before) return after.status === 'DELETED' ? undefined : 'link.created';
  if (after.status === before.status) return after.status === 'DELETED' ? undefined : 'link.updated';
  if (after.status === 'DELETED') return 'link.deleted';
  return after.status === 'EXPIRED' ? 'link.expired' : 'link.updated';
};

/** Data for a link's event from other items. */
export interface LinkEventContext {
  readonly project: Project;
  readonly shortBase: string;
  /** Saved apps that exist. */
  readonly apps: { readonly has: (id: string) => boolean };
}

/** Ids of the saved apps in a change. */
export const appsInChange = ({ link, before }: ChangedLink): string[] =>
  [link, ...(before ? [before] : [])].flatMap(({ payload }) => namedApps(payload).map(({ id }) => id));

/** A link's event. Undefined if nothing changed that receivers see. */
export const linkEvent = (change: ChangedLink, context: LinkEventContext): ServiceEvent | undefined => {
  const data = dataOf[change.type](change, (link) => shown(link, context, change.at));
  return data && eventOf({ ...change, data });
};

type Data = (change: ChangedLink, show: (link: Link) => Shown) => object | undefined;

const dataOf: Readonly<Record<LinkEventType, Data>> = {
  'link.created': ({ project, link, by }, show) => ({ project, link: show(link), by }),
  'link.updated': ({ project, link: after, before, by }, show) => {
    const link = show(after);
    const previous = before && differing(show(before), link);
    return previous && { project, link, previous, by };
  },
  'link.deleted': ({ project, link: { id, code }, by }) => ({ project, id, code, by }),
  'link.expired': ({ project, link }, show) => ({ project, link: show(link) }),
};

type Shown = Readonly<Record<string, unknown>>;

const listed = listedLink.omit({ clickCount: true });

/** A link as in `GET /links`, without its clicks, at that time. */
const shown = (link: Link, { project, shortBase, apps }: LinkEventContext, at: number): Shown =>
  listed.parse(presentLink(withApps(link, apps), analyticsOf(), project, { shortBase, now: new Date(at) }));

const compared = ['name', 'payload', 'status', 'expiresAt', 'tags', 'blocked'];

/** The previous values of changed fields, null if unset. Undefined if nothing changed. */
const differing = (before: Shown, after: Shown): Shown | undefined => {
  const changed = compared.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((field) => [field, before[field] ?? null]));
};
