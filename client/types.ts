import type { components, DimensionFields, operations } from './api-types.ts';

/* Names for the parts of the API's generated types that programs use. */

type Schemas = components['schemas'];
type DataOf<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': { data: infer Data } } } };
}
  ? Data
  : never;

export type Link = Schemas['Link'];
export type CreatedLink = Schemas['CreatedLink'];
export type ListedLink = Schemas['ListedLink'];
export type LinkDraft = Schemas['LinkDraft'];
export type LinkChange = Schemas['LinkChange'];
export type LinkPatch = Schemas['LinkPatch'];
export type LinkPayload = Schemas['LinkPayload'];
export type SettableStatus = 'ACTIVE' | 'PAUSED';
export type LinkStatus = ListedLink['status'];

export type MobileApp = Schemas['MobileApp'];
export type MobileAppDraft = Schemas['MobileAppDraft'];
export type MobileAppChange = Schemas['MobileAppChange'];
export type MobileApps = DataOf<'listMobileApps'>;
export type Usage = DataOf<'getUsage'>;

type AnyBulkResult = DataOf<'createLinks'>['results'][number];
type Refused = Extract<AnyBulkResult, { success: false }>;
export type BulkResult =
  | { readonly index: number; readonly success: true; readonly link: CreatedLink }
  | Refused;
export type BulkAnswer = Omit<DataOf<'createLinks'>, 'results'> & { results: BulkResult[] };

/** Whether the service would now accept a link. */
export type Validity = { readonly index: number; readonly success: true } | Refused;

export type HistoryEntry = Schemas['HistoryEntry'];
export type WholeHistoryEntry = Schemas['WholeHistoryEntry'];

export type Tags = DataOf<'listTags'>;

type ListQuery = NonNullable<operations['listLinks']['parameters']['query']>;
type ListResponse = operations['listLinks']['responses'][200]['content']['application/json'];

/** The filter of a list. Links must match all given fields. */
export interface LinkFilter extends Omit<ListQuery, 'tag' | 'page' | 'pageSize' | 'cursor'> {
  /** One tag or several, of which a link has all. */
  readonly tag?: string | readonly string[] | undefined;
}

/** A page by number, or with `cursor` the next one that matches the filter. */
export type PageQuery =
  | (Pick<ListQuery, 'page' | 'pageSize'> & { readonly cursor?: never })
  | (LinkFilter & Pick<ListQuery, 'pageSize'> & { readonly cursor: string });

export type Pagination = ListResponse['pagination'];

export interface LinkPage<Way extends Pagination = Pagination> {
  readonly links: ListedLink[];
  readonly pagination: Way;
}

export type PageOf<Query extends PageQuery> = LinkPage<
  Extract<Pagination, Query extends { cursor: string } ? { nextCursor: string | null } : { total: number }>
>;

type GivenQuery = NonNullable<operations['getAnalytics']['parameters']['query']>;
type Answered = DataOf<'getAnalytics'>;

export type GroupBy = Extract<NonNullable<GivenQuery['groupBy']>, string>;
export type CountedEvent = NonNullable<GivenQuery['event']>;

/** A query for analytics. `groupBy`, one grouping or several, and `event` decide the type of the result. */
export interface AnalyticsQuery<
  Groups extends GroupBy | readonly GroupBy[] = GroupBy,
  Event extends CountedEvent = CountedEvent,
> extends Omit<GivenQuery, 'groupBy' | 'event'> {
  readonly groupBy?: Groups | undefined;
  readonly event?: Event | undefined;
}

/** The field by which the items of a grouping differ. */
interface GroupedBy extends DimensionFields {
  readonly tags: 'tag';
  readonly links: 'code';
  readonly excluded: 'reason';
}

interface TotalField {
  readonly clicks: { clicks: number; uniqueClicks: number };
  readonly opens: { opens: number };
}

type Grouped<Group extends GroupBy, Event extends CountedEvent> = Group extends 'count'
  ? Extract<Answered, TotalField[Event]>
  : Group extends 'timeseries'
    ? Extract<Answered, (TotalField[Event] & { start: string })[]>
    : Group extends 'filtered'
      ? { start: string; clicks: number }[]
      : Extract<Answered, Record<GroupedBy[Exclude<Group, 'count' | 'timeseries' | 'filtered'>], string>[]>;

/** The result of a query: for one grouping its own form, for a list an object with an entry each. */
export type Analytics<
  Groups extends GroupBy | readonly GroupBy[],
  Event extends CountedEvent,
> = Groups extends readonly (infer Group extends GroupBy)[]
  ? { readonly [Name in Group]: Grouped<Name, Event> }
  : Grouped<Extract<Groups, GroupBy>, Event>;
