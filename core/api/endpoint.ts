import type * as z from 'zod';
import type { Caller } from '../api-keys/caller.ts';
import type { Quota } from '../api-keys/rate-store.ts';
import type { Scope } from '../api-keys/scopes.ts';
import type { Failure, FailureCode } from '../base/failure.ts';
import type { faultMessages } from '../base/messages.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { StoreOperation } from '../table/access.ts';

/**
 * An endpoint's contract. Its route, Lambda, IAM policy, validation, handler types and OpenAPI operation derive from
 * it; its behaviour is in `lambdas/api/<kebab-case id>.ts`.
 */
export interface Contract {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the version segment, such as `/links/{code}`. */
  readonly path: string;
  readonly tag: 'Links' | 'History' | 'Mobile apps' | 'QR style' | 'Analytics' | 'Usage' | 'Share links';
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodObject;
  /** The failure for invalid path parameters; VALIDATION_ERROR by default. */
  readonly unmatched?: () => Failure;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The message for an array as the body. */
  readonly several?: keyof typeof faultMessages;
  /** Media types of the body in addition to `application/json`. */
  readonly bodyTypes?: readonly string[];
  /** The status of a successful response. @default 200 */
  readonly status?: 200 | 201;
  /** Field of the handler's result that is false if nothing was created: then the status is 200. */
  readonly newIf?: string;
  /** Set if only publishable keys may call it, and pages of any origin may read its responses. */
  readonly publishable?: true;
  /** Schema of `data`. Other fields that a handler returns are left out of the response. */
  readonly result: z.ZodType;
  /** Schema of `pagination`, next to `data`. */
  readonly pagination?: z.ZodType;
  /** Result field appended to the `Location` header. */
  readonly location?: string;
  /** Responses that contain a timestamp. */
  readonly timestamp?: 'success' | 'always';
  /** Failures beyond those that every endpoint shares, with the condition that causes them. */
  readonly failures?: Readonly<Partial<Record<FailureCode, string>>>;
  /** Failures whose `error` is a plain string in this endpoint. */
  readonly plain?: readonly FailureCode[];
  /** The scope that a key needs; any key may call an endpoint without one. */
  readonly scope?: Scope;
  /** Set if calls don't count against the key's hourly quota. */
  readonly uncounted?: true;
  /**
   * Set if `validateOnly=true` checks a request without storing anything. Such calls need this scope and take no
   * Idempotency-Key.
   */
  readonly validateOnly?: { readonly scope: Scope };
  /** Set if calls take an Idempotency-Key: they create one thing or many. */
  readonly idempotent?: 'one' | 'many';
  /** The described schema of a body whose items are parsed one by one. */
  readonly describedBody?: z.ZodType;
  /** Largest body in bytes. @default 64 KB */
  readonly bodyBytes?: number;
  /** Longest time of a call in seconds. @default 10 */
  readonly timeoutSeconds?: number;
  /** The operation whose function also serves this one. @default its own */
  readonly servedBy?: string;
  /** The store operations that the handler receives. The role's table actions follow from them. */
  readonly uses: readonly StoreOperation[];
  /** An example request with its response for the API's description (`Example`). */
  readonly example: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly data: unknown;
    readonly pagination?: unknown;
  };
}

type Shown<Value> = Value extends object ? { readonly [Key in keyof Value]: Shown<Value[Key]> } : Value;

/** The type of an example: the contract's parts of a request, and its response. */
type Example<C extends Contract> = {
  readonly [Part in 'params' | 'query' | 'body' as C extends { [Key in Part]: z.ZodType }
    ? Part
    : never]: C extends { [Key in Part]: infer Schema extends z.ZodType } ? Shown<z.input<Schema>> : never;
} & { readonly data: Shown<z.input<C['result']>> } & (C extends {
    pagination: infer Pages extends z.ZodType;
  }
    ? { readonly pagination: Shown<z.input<Pages>> }
    : unknown);

export const statusOf = ({ status = 200 }: Contract): number => status;

/** The longest time of an endpoint's call, in seconds. */
export const timeoutSecondsOf = ({ timeoutSeconds = 10 }: Contract): number => timeoutSeconds;

const remembering = {
  one: ['idempotency.find'],
  many: ['idempotency.find', 'idempotency.begin', 'idempotency.items'],
} as const satisfies Record<string, readonly StoreOperation[]>;

/** All store operations of an endpoint: its handler's, those for idempotent calls, and the quota check. */
export const storeOperationsOf = ({ uses, uncounted, idempotent }: Contract): StoreOperation[] => [
  ...uses,
  ...(idempotent ? remembering[idempotent] : []),
  'takedowns.isSuspended',
  uncounted ? 'rates.peek' : 'rates.take',
];

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

/** Requires a schema for each parameter of the path, and no others. */
type MatchingParams<Path extends string> = [ParameterNames<Path>] extends [never]
  ? { readonly params?: never }
  : { readonly params: z.ZodObject<Record<ParameterNames<Path>, z.ZodType>> };

export const endpoint = <const C extends Contract>(
  contract: C & MatchingParams<C['path']> & { readonly example: Example<C> },
): C => contract;

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** A handler's input: the parsed request, the caller, the time and the deployment's settings. */
export interface HandlerInput<C extends Contract> {
  readonly params: Parsed<C['params']>;
  readonly query: Parsed<C['query']>;
  readonly body: Parsed<C['body']>;
  readonly caller: Caller;
  /** The time of the request by the gateway's clock. */
  readonly now: Date;
  /** The key's quota including this request; undefined if it couldn't be counted. */
  readonly quota: Quota | undefined;
  /** Base address of short URLs for projects without a custom host. */
  readonly shortBase: string;
  /** The most links of a project, if the deployment limits them. */
  readonly linksPerProject: number | undefined;
  /** Days for which analytics over time are kept; forever if undefined. */
  readonly figuresRetentionDays: number | undefined;
  /** Results of earlier calls with the same Idempotency-Key. */
  readonly idempotency: Idempotency;
  /** The service's short hosts, to which no destination may lead. */
  readonly shortHosts: readonly string[];
}

type Data<C extends Contract> = z.input<C['result']>;

/** A handler's result: the data, or data and pagination if the contract has pages. */
export type Result<C extends Contract> = C extends { pagination: infer P extends z.ZodType }
  ? { readonly data: Data<C>; readonly pagination: z.input<P> }
  : Data<C>;
