import type * as z from 'zod';
import type { Scope } from '../api-keys/api-key.ts';
import type { Caller } from '../api-keys/caller.ts';
import type { Quota } from '../api-keys/rate-store.ts';
import type { Failure, FailureCode } from '../base/failure.ts';
import type { faultMessages } from '../base/messages.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { StoreOperation } from '../table/access.ts';

/**
 * The one statement of an endpoint. Its route, Lambda, IAM policy, validation, handler types and OpenAPI
 * operation are all derived from it; the behaviour is `lambdas/api/<kebab-case id>.ts`.
 */
export interface Contract {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the version segment, such as `/links/{code}`. */
  readonly path: string;
  readonly tag: 'Links' | 'History' | 'Mobile apps' | 'Analytics' | 'Usage';
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodObject;
  /** What invalid path parameters cause; VALIDATION_ERROR by default. */
  readonly unmatched?: () => Failure;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** What is said of an array as the body. */
  readonly several?: keyof typeof faultMessages;
  /** Media types of the body beside JSON's own. */
  readonly bodyTypes?: readonly string[];
  /** Of a response without a failure. @default 200 */
  readonly status?: 200 | 201;
  /** Shape of `data`. Anything else that a handler returns is left out of the response. */
  readonly result: z.ZodType;
  /** Shape of `pagination`, beside `data`. */
  readonly pagination?: z.ZodType;
  /** Result field appended to the `Location` header. */
  readonly location?: string;
  /** Which responses carry their time. */
  readonly timestamp?: 'success' | 'always';
  /** Failures beyond those that every endpoint shares, with the condition that causes them. */
  readonly failures?: Readonly<Partial<Record<FailureCode, string>>>;
  /** Failures whose `error` is a plain string in this endpoint. */
  readonly plain?: readonly FailureCode[];
  /** What a key must be allowed to do; any key may call an endpoint without it. */
  readonly scope?: Scope;
  /** Doesn't count against the key's hourly quota. */
  readonly uncounted?: true;
  /** `validateOnly=true` judges the request and stores nothing: the call needs this scope then, and takes no Idempotency-Key. */
  readonly validateOnly?: { readonly scope: Scope };
  /** Takes an Idempotency-Key, and makes one thing or many. */
  readonly idempotent?: 'one' | 'many';
  /** How the body is described where its items are read one by one. */
  readonly describedBody?: z.ZodType;
  /** Largest body. @default 64 KB */
  readonly bodyBytes?: number;
  /** Longest time of a call. @default 10 */
  readonly timeoutSeconds?: number;
  /** The operation whose function serves this one, too. @default one of its own */
  readonly servedBy?: string;
  /** The store operations that the handler receives. The role's table actions follow from them. */
  readonly uses: readonly StoreOperation[];
  /** A request and its response, as the description of the API shows them (`Example`). */
  readonly example: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly data: unknown;
    readonly pagination?: unknown;
  };
}

type Shown<Value> = Value extends object ? { readonly [Key in keyof Value]: Shown<Value[Key]> } : Value;

/** The parts of a request that a contract has, and its response, by its schemas. */
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

/** How long a call of an endpoint may take. */
export const timeoutSecondsOf = ({ timeoutSeconds = 10 }: Contract): number => timeoutSeconds;

const remembering = {
  one: ['idempotency.find'],
  many: ['idempotency.find', 'idempotency.begin', 'idempotency.items'],
} as const satisfies Record<string, readonly StoreOperation[]>;

/**
 * Everything that an endpoint does with the table: what its handler uses, what it remembers, and the quota
 * check.
 */
export const storeOperationsOf = ({ uses, uncounted, idempotent }: Contract): StoreOperation[] => [
  ...uses,
  ...(idempotent ? remembering[idempotent] : []),
  'takedowns.isSuspended',
  uncounted ? 'rates.peek' : 'rates.take',
];

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

/** A path's parameters and their schemas must name each other. */
type MatchingParams<Path extends string> = [ParameterNames<Path>] extends [never]
  ? { readonly params?: never }
  : { readonly params: z.ZodObject<Record<ParameterNames<Path>, z.ZodType>> };

export const endpoint = <const C extends Contract>(
  contract: C & MatchingParams<C['path']> & { readonly example: Example<C> },
): C => contract;

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a handler gets: the parsed request, the caller and the time. */
export interface HandlerInput<C extends Contract> {
  readonly params: Parsed<C['params']>;
  readonly query: Parsed<C['query']>;
  readonly body: Parsed<C['body']>;
  readonly caller: Caller;
  /** The gateway's clock. */
  readonly now: Date;
  /** The key's use of its hour, this request included; undefined if it couldn't be counted. */
  readonly quota: Quota | undefined;
  /** Base address of short URLs for projects without a custom host. */
  readonly shortBase: string;
  /** Links that a project may have, if the deployment limits them. */
  readonly linksPerProject: number | undefined;
  /** Days for which figures over time are kept; for ever if undefined. */
  readonly figuresRetentionDays: number | undefined;
  /** What the call made before, if its client repeats it. */
  readonly idempotency: Idempotency;
  /** The service's short hosts, to which no destination may lead. */
  readonly shortHosts: readonly string[];
}

type Data<C extends Contract> = z.input<C['result']>;

/** What a handler returns: the data, or data and pagination if the contract has pages. */
export type Result<C extends Contract> = C extends { pagination: infer P extends z.ZodType }
  ? { readonly data: Data<C>; readonly pagination: z.input<P> }
  : Data<C>;
