import type * as z from 'zod';
import type {
  Analytics,
  AnalyticsQuery,
  BulkResult,
  CreatedLink,
  HistoryEntry,
  Link,
  LinkDraft,
  LinkFilter,
  LinkPage,
  LinkPatch,
  ListedLink,
  MobileApp,
  MobileAppChange,
  MobileAppDraft,
  SettableStatus,
  WholeHistoryEntry,
} from '../../client/types.ts';
import type { DimensionName } from '../../core/analytics/dimensions.ts';
import type { Fault } from '../../core/base/failure.ts';
import type { QrStyle } from '../../core/qr-styles/qr-style.ts';
import type { Association } from '../../core/short-urls/association.ts';
import type { Calls } from '../../ops/console-server/calls.ts';
import type { TransferProgress } from '../../ops/console-server/progress.ts';
import { fieldName } from '../views/links/labels.ts';

interface InProject {
  readonly project: string;
}

interface OfLink extends InProject {
  readonly code: string;
}

interface OfApp extends InProject {
  readonly id: string;
}

interface LinksQuery extends InProject, Pick<LinkFilter, 'search' | 'status'> {
  readonly tag?: readonly string[];
  readonly sort?: 'oldest' | 'clicks' | 'code' | 'name';
  /** Omitted for the first page. The cursor of a numbered page is its number. */
  readonly cursor?: string;
}

interface RangeQuery extends InProject, Pick<AnalyticsQuery, 'code' | 'interval' | 'start' | 'end'> {
  /** Adds analytics of the period before. */
  readonly compare?: boolean;
  /** One name of a grouping, to get its clicks over time. */
  readonly only?: { readonly group: DimensionName | 'tags'; readonly name: string };
}

type Series = ['count', 'timeseries'];
type Named = Readonly<Record<string, string | number>>;

interface RangeAnalytics {
  readonly clicks: Analytics<Series, 'clicks'>;
  readonly opens: Analytics<Series, 'opens'>;
  readonly only?: { start: string; clicks: number }[];
}

interface ConsoleAnalytics extends RangeAnalytics {
  readonly clicks: RangeAnalytics['clicks'] & { readonly [Name in DimensionName]?: Named[] } & {
    readonly links?: Analytics<'links', 'clicks'>;
    readonly tags?: Analytics<'tags', 'clicks'>;
    readonly excluded?: Analytics<'excluded', 'clicks'>;
  };
  readonly before?: RangeAnalytics;
}

type ListedProject = ServedBy<'projects'>[number];
/** Only members get a role, only operators the other fields. */
type MyProject = Pick<ListedProject, 'id' | 'name'> & Partial<ListedProject> & { readonly role?: string };

/** Includes the fields that only operators see. */
type ConsoleLink = Link & { updatedBy?: string; blockedAt?: string; blockedReason?: string };

/** Calls that both consoles support, in the public API's shapes. */
interface ApiCalls {
  projects(input: object): MyProject[];
  links(
    input: LinksQuery,
  ): LinkPage & { links: (ListedLink & Partial<Pick<Link, 'analytics'>>)[]; readAt?: string | undefined };
  link(input: OfLink): ConsoleLink;
  reach(input: OfLink): Omit<ServedBy<'reach'>, 'link'> & { link: ConsoleLink };
  history(input: OfLink & { readonly limit: number }): {
    link: Link;
    entries: (Omit<HistoryEntry, 'type'> & { type: HistoryEntry['type'] | 'deleted'; reason?: string })[];
    hasMore: boolean;
  };
  historyEntry(input: OfLink & { readonly id: string }): Pick<WholeHistoryEntry, 'before'> & { link: Link };
  /** A project's data for routing, without its apps; members don't see which apps open short URLs. */
  routing(input: InProject): {
    readonly shortBase?: string | undefined;
    readonly association?: Pick<Association, 'ios' | 'android'> | 'unknown' | undefined;
  };
  tags(input: InProject): string[];
  createLink(input: InProject & { readonly link: LinkDraft }): Pick<CreatedLink, 'code' | 'shortUrl'>;
  createLinks(
    input: InProject & { readonly links: LinkDraft[] },
  ): (
    | { success: true; link: Pick<CreatedLink, 'code' | 'shortUrl'> }
    | Pick<Extract<BulkResult, { success: false }>, 'success' | 'error'>
  )[];
  updateLink(input: OfLink & { readonly link: LinkPatch }): unknown;
  setLinkStatus(input: OfLink & { readonly status: SettableStatus }): unknown;
  tagLink(input: OfLink & { readonly add?: readonly string[]; readonly remove?: readonly string[] }): unknown;
  deleteLink(input: OfLink): unknown;
  codeIsFree(input: OfLink): boolean;
  apps(input: InProject): MobileApp[];
  app(input: OfApp): MobileApp;
  createApp(input: InProject & { readonly app: MobileAppDraft }): unknown;
  updateApp(input: OfApp & { readonly app: MobileAppChange }): unknown;
  deleteApp(input: OfApp): unknown;
  qrStyle(input: InProject): QrStyle;
  setQrStyle(input: InProject & { readonly style: QrStyle }): unknown;
  analytics(input: RangeQuery): ConsoleAnalytics;
  /** Each of the last 30 days, for a link or a whole project. */
  recentClicks(input: InProject & { readonly code?: string }): { start: string; clicks: number }[];
}

/** A value from JSON, read-only. */
type Read<Value> = Value extends readonly (infer Item)[]
  ? readonly Read<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Read<Value[Key]> }
    : Value;

export type Name = keyof Calls;
type Served = { readonly [N in Name]: (input: z.input<Calls[N]['input']>) => ServedBy<N> };
type ServedBy<N extends Name> = Awaited<ReturnType<Calls[N]['run']>>;
/** Compiles only if the operators' server responds in the API's shapes. */
type Alike<All extends { readonly [N in keyof ApiCalls]: (input: never) => Read<ReturnType<ApiCalls[N]>> }> =
  All;
type AllCalls = ApiCalls & Omit<Alike<Served>, keyof ApiCalls>;

export type CallInput<N extends Name> = Parameters<AllCalls[N]>[0];
export type CallOutput<N extends Name> = Read<ReturnType<AllCalls[N]>>;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TransferProgress) => void) | undefined;
}

/** Where the console's calls go: the operators' program, or the public API. */
export interface ConsoleClient {
  readonly call: <N extends Name>(
    name: N,
    input: CallInput<N>,
    options: CallOptions,
  ) => Promise<CallOutput<N>>;
  /** Whether this console has a call and the member's role in the project allows it. */
  readonly offers: (name: Name, project?: string) => boolean;
  /** Only operators choose names in analytics and see commands. */
  readonly isOperators: boolean;
  /** The path of the first view, without a trailing slash. */
  readonly base: string;
  /** The signed-in member. */
  readonly account?: { readonly email: string; readonly signOut: () => Promise<void> };
}

let current: ConsoleClient | undefined;

/** Sets the client; to be called before the first render. */
export const setClient = (client: ConsoleClient): void => {
  current = client;
};

export const client = (): ConsoleClient => {
  if (!current) throw new Error('The console has no client yet');
  return current;
};

/** The message when the server can't be reached. */
export const noConnection = 'No connection. What you typed is still here: try again in a moment.';

/** A refusal by the server, with fields by their labels in the console. */
export class CallError extends Error {
  readonly faults: readonly Fault[];

  constructor(message: string, faults: readonly Fault[] = []) {
    super(
      faults.map((one) => (one.field ? `${fieldName(one.field)}: ` : '') + one.message).join('; ') || message,
    );
    this.faults = faults;
  }
}

/** Makes a call. Throws an Error with a message for users. */
export const callService = <N extends Name>(
  name: N,
  input: CallInput<N>,
  options: CallOptions = {},
): Promise<CallOutput<N>> => client().call(name, input, options);
